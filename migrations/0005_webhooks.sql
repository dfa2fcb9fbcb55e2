-- Events and their deliveries. Triggers write both in the transaction of the state change (the events.ts of each subject).

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  url TEXT NOT NULL,
  description TEXT,
  events TEXT CHECK (json_valid(events)), -- JSON array of event names and categories; NULL: all, future ones too
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  disabled_reason TEXT,
  notice_due_at TEXT, -- when the circuit breaker opened, and the owner is to be mailed about it; NULL: nothing to tell
  notice_leased_at TEXT, -- since when somebody is about to mail the owner; NULL: nobody
  consecutive_dead INTEGER NOT NULL DEFAULT 0, -- dead deliveries since the last delivered one, kept by a trigger
  consecutive_failures INTEGER NOT NULL DEFAULT 0, -- failed attempts since the last success
  secret_encrypted TEXT NOT NULL, -- AES-256-GCM
  previous_secret_encrypted TEXT,
  previous_secret_expires_at TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  deleted_at TEXT,
  -- What the owner is to be mailed about: that deliveries die in a row, or that the endpoint was disabled for it.
  notice TEXT NOT NULL DEFAULT 'disabled',
  -- the time of the last delivery that was replayed among many: more fall due behind it
  replays_until TEXT,
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX webhook_endpoints_newest ON webhook_endpoints (organization_id, created_at, id);
CREATE INDEX webhook_endpoints_to_notify ON webhook_endpoints (organization_id, notice_due_at)
  WHERE notice_due_at IS NOT NULL AND deleted_at IS NULL;

-- Every event has a number in the order of its commit, which is never given twice, whatever is purged: D1 has one
-- writer, so that no lower number ever appears behind a higher one.
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  -- a random UUID (version 4)
  id TEXT NOT NULL UNIQUE DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  event TEXT NOT NULL,
  category TEXT, -- as the event is declared; NULL: no event of the feed
  subject_id TEXT NOT NULL, -- the record it is about
  payload TEXT NOT NULL CHECK (json_valid(payload)), -- the body of every delivery, byte for byte
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX events_by_age ON events (created_at);
CREATE INDEX events_in_order ON events (organization_id, sequence);
CREATE INDEX events_by_subject ON events (organization_id, subject_id, sequence);

-- Ids of deliveries ascend with time (UUID version 7; the fan-out puts the event's row number behind the millisecond):
-- what is made together stands together in every index, so that a batch of the sender touches few pages.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY DEFAULT (
    printf('%08x-%04x-7%s-%s%s-%s', cast(unixepoch('subsec') * 1000 AS INTEGER) >> 16,
      cast(unixepoch('subsec') * 1000 AS INTEGER) & 65535, lower(substr(hex(randomblob(2)), 2)),
      substr('89ab', 1 + (random() & 3), 1), lower(substr(hex(randomblob(2)), 2)), lower(hex(randomblob(6))))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES events (id),
  event TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  -- pending: when it is due; while an attempt is leased, when the lease ends
  -- NULL: held (endpoint disabled, no api_access)
  next_attempt_at TEXT,
  settled_at TEXT, -- when it became delivered or dead
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  held_due_at TEXT, -- of a held one: when it was due before it was held
  failed_at TEXT, -- when its last attempt failed; NULL: none yet, or it was delivered
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at)
  WHERE status = 'pending' AND next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due_by_organization ON webhook_deliveries (organization_id, next_attempt_at)
  WHERE status = 'pending' AND next_attempt_at IS NOT NULL;
-- Those of a disabled endpoint or of a plan without webhooks, for the minute's figures.
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (endpoint_id)
  WHERE status = 'pending' AND next_attempt_at IS NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, created_at, id);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, status, settled_at, created_at);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
-- For the health figures; a delivered webhook has no row in it.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, failed_at) WHERE failed_at IS NOT NULL;
-- For the search of deliveries: the first is written once, with the delivery; the others hold the dead ones only, which
-- are few. An event's name is looked for among the newest.
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_dead_newest ON webhook_deliveries (organization_id, created_at, id)
  WHERE status = 'dead';
CREATE INDEX webhook_deliveries_dead_of_endpoint ON webhook_deliveries (endpoint_id, created_at, id)
  WHERE status = 'dead';

-- What became of the attempts of each minute, over all workspaces: the minute's line tells it.
CREATE TABLE attempt_counts (
  minute TEXT PRIMARY KEY, -- 2026-01-31T09:30, UTC
  delivered INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0, -- tried again later
  dead INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The delivery log, kept in the order in which it is read: one row to write for an attempt, and no index beside it.
CREATE TABLE webhook_attempts (
  organization_id TEXT NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  attempt_number INTEGER NOT NULL,
  attempted_at TEXT NOT NULL,
  response_status INTEGER, -- NULL: no answer
  latency_ms INTEGER NOT NULL,
  error_class TEXT, -- NULL: answered 2xx
  response_body TEXT, -- first 2 KiB
  next_attempt_at TEXT, -- NULL: no retry follows
  PRIMARY KEY (delivery_id, attempted_at)
) STRICT, WITHOUT ROWID;
