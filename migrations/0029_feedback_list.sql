-- A deliverable's feedback by its creation, for its list. The deliverable alone is as good as with the version for the rest.

DROP INDEX feedback_by_deliverable;
CREATE INDEX feedback_by_deliverable ON feedback (deliverable_id, created_at, id);
