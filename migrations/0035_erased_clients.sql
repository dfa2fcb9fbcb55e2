-- What the erasure of a client leaves of a sign-off, and how it finds the lines of the audit log that hold a name.

ALTER TABLE sign_offs ADD COLUMN erased_at TEXT; -- when the signer's name, address and browser were erased
CREATE INDEX audit_log_of_admins ON audit_log (organization_id, subject_id) WHERE api_token_id IS NULL;
