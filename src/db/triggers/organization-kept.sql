-- A row never moves to another organization. What it refers to is of the same one: the keys of the tables say so.

-- each table: members | api_tokens | clients | projects | milestones | invoices | invoice_line_items | time_entries
--   | deliverables | deliverable_sends | change_orders | change_decisions | deposits | scope_request_evidence
--   | webhook_endpoints | webhook_deliveries | webhook_attempts | processor_events | review_keys | review_codes
--   | review_notices | allowed_origins | mail_counts | stored_images
CREATE TRIGGER {{table}}_organization_kept BEFORE UPDATE OF organization_id ON {{table}}
WHEN NEW.organization_id <> OLD.organization_id
BEGIN
  SELECT RAISE(ABORT, 'organization_id cannot change');
END;
