-- Who opened which version of a review: one row for each visitor, version and day (UTC).
CREATE TABLE review_openings (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  day TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  visitor TEXT NOT NULL, -- '': the client, by a mailed link or code; else the name that someone with the link gave
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- the first time that day
  PRIMARY KEY (organization_id, deliverable_id, day, version_number, visitor),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id)
) STRICT, WITHOUT ROWID;
