-- Where a token may be used from, as a JSON array of addresses and CIDR ranges; null: from anywhere.
ALTER TABLE api_tokens ADD COLUMN allowed_ips TEXT CHECK (json_valid(allowed_ips) AND json_type(allowed_ips) = 'array');
