-- Each write of an entry by a cell gives it a new revision. A write that began before the current revision is ignored.
ALTER TABLE organizations ADD COLUMN revision TEXT NOT NULL DEFAULT '';
