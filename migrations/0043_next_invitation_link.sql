-- The link of an invitation's e-mail that may not have been sent. Until it has been, the link before it works too.
ALTER TABLE invitations ADD COLUMN next_token_hash TEXT; -- SHA-256, hex
CREATE INDEX invitations_by_next_token ON invitations (next_token_hash) WHERE next_token_hash IS NOT NULL;
