CREATE TRIGGER members_owner_stays BEFORE UPDATE OF role ON members
WHEN OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT EXISTS (
  SELECT 1 FROM members WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'an organization keeps at least one owner: make another member an owner first');
END;

CREATE TRIGGER members_owner_not_deleted BEFORE DELETE ON members
WHEN OLD.role = 'owner' AND NOT EXISTS (
  SELECT 1 FROM members WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
) AND NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'an organization keeps at least one owner: make another member an owner first');
END;

CREATE TRIGGER api_tokens_stay_revoked BEFORE UPDATE OF revoked_at ON api_tokens
WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a revoked token stays revoked');
END;

-- What a token may do is decided when it is minted (specification 5, Minting 6).
CREATE TRIGGER api_tokens_scopes_stay BEFORE UPDATE OF scopes, token_hash, token_prefix ON api_tokens
WHEN NEW.scopes <> OLD.scopes OR NEW.token_hash <> OLD.token_hash OR NEW.token_prefix <> OLD.token_prefix
BEGIN
  SELECT RAISE(ABORT, 'a token keeps its scopes: mint a new one');
END;

-- That they are an array, the column checks before.
CREATE TRIGGER api_tokens_scopes_are_texts AFTER INSERT ON api_tokens
WHEN EXISTS (SELECT 1 FROM json_each(NEW.scopes) WHERE type <> 'text')
BEGIN
  SELECT RAISE(ABORT, 'scopes of a token are texts');
END;

-- A token's row says whether its plan has API access: what finds an organization by its token reads no other row.
CREATE TRIGGER api_tokens_api_access AFTER INSERT ON api_tokens
BEGIN
  UPDATE api_tokens SET has_api_access = (
    SELECT plans.api_access FROM organizations JOIN plans ON plans.name = organizations.plan
    WHERE organizations.id = NEW.organization_id
  ) WHERE id = NEW.id;
END;

CREATE TRIGGER organizations_plan_moves_tokens AFTER UPDATE OF plan ON organizations
WHEN NEW.plan <> OLD.plan
BEGIN
  UPDATE api_tokens SET has_api_access = (SELECT api_access FROM plans WHERE name = NEW.plan)
  WHERE organization_id = NEW.id;
END;

CREATE TRIGGER plans_api_access_moves_tokens AFTER UPDATE OF api_access ON plans
WHEN NEW.api_access <> OLD.api_access
BEGIN
  UPDATE api_tokens SET has_api_access = NEW.api_access
  WHERE organization_id IN (SELECT id FROM organizations WHERE plan = NEW.name);
END;
