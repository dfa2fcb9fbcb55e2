-- An admin's headers for the deliveries of an endpoint: their names as a JSON array, and names and values encrypted
-- (AES-256-GCM); NULL: none.
ALTER TABLE webhook_endpoints ADD COLUMN headers TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(headers) AND json_type(headers) = 'array');
ALTER TABLE webhook_endpoints ADD COLUMN headers_encrypted TEXT;
