-- The feed of events: every event has a number in the order of its commit, which is never given twice, whatever is
-- purged. D1 has one writer, so that no lower number ever appears behind a higher one.
-- The triggers that go with the table come back in the next migration.
PRAGMA defer_foreign_keys = on;

CREATE TABLE events_before AS SELECT * FROM events ORDER BY rowid;
DROP TABLE events;

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  -- a random UUID (version 4)
  id TEXT NOT NULL UNIQUE DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  event TEXT NOT NULL,
  -- By what stands before the dot. NULL: no event of the feed.
  category TEXT GENERATED ALWAYS AS (
    iif(substr(event, 1, 8) IN ('invoice.', 'deposit.'), 'money',
      iif(substr(event, 1, 13) = 'change_order.', 'scope',
        iif(substr(event, 1, 16) = 'change_decision.', 'change',
          iif(substr(event, 1, 12) = 'deliverable.' OR substr(event, 1, 9) = 'feedback.' OR substr(event, 1, 8) = 'signoff.',
            'delivery', NULL))))
  ) VIRTUAL,
  subject_id TEXT NOT NULL, -- the record it is about
  payload TEXT NOT NULL CHECK (json_valid(payload)), -- the body of every delivery, byte for byte
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

INSERT INTO events (id, organization_id, event, subject_id, payload, created_at)
SELECT id, organization_id, event, subject_id, payload, created_at FROM events_before ORDER BY rowid;
DROP TABLE events_before;

CREATE INDEX events_by_age ON events (created_at);
CREATE INDEX events_in_order ON events (organization_id, sequence);
CREATE INDEX events_by_category ON events (organization_id, category, sequence);
CREATE INDEX events_by_name ON events (organization_id, event, sequence);
CREATE INDEX events_by_subject ON events (organization_id, subject_id, sequence);
