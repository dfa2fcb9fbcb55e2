CREATE TRIGGER members_owner_stays BEFORE UPDATE OF role ON members
WHEN OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT EXISTS (
  SELECT 1 FROM members WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'an organization keeps at least one owner');
END;

CREATE TRIGGER members_owner_not_deleted BEFORE DELETE ON members
WHEN OLD.role = 'owner' AND NOT EXISTS (
  SELECT 1 FROM members WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'an organization keeps at least one owner');
END;

CREATE TRIGGER api_tokens_stay_revoked BEFORE UPDATE OF revoked_at ON api_tokens
WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a revoked token stays revoked');
END;
