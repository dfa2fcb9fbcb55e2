-- Entries that a crash left unfinished, so that the purge finds them. Tokens' entries are kept.
CREATE INDEX requests_unfinished ON requests (created_at) WHERE answer IS NULL AND (key GLOB 'form:*'
  OR key GLOB 'review:*' OR key GLOB 'operation:*' OR key GLOB 'reminder:*');
