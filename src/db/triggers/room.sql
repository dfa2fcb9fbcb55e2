-- Room of a workspace: every record counts one, and so does every tenth line of an invoice, every tenth milestone and
-- every 5,000 bytes of evidence. A deliverable counts with its first version (deliverables.sql).

-- each table: clients | projects | time_entries | invoices
CREATE TRIGGER {{table}}_take_room AFTER INSERT ON {{table}}
BEGIN
  UPDATE organizations SET record_count = record_count + 1 WHERE id = NEW.organization_id;
END;

-- each table: clients | projects | time_entries | invoices
CREATE TRIGGER {{table}}_give_room AFTER DELETE ON {{table}}
BEGIN
  UPDATE organizations SET record_count = record_count - 1 WHERE id = OLD.organization_id;
END;

-- each table: invoice_line_items | milestones
CREATE TRIGGER {{table}}_take_room AFTER INSERT ON {{table}}
WHEN NEW.position % {{limits.partsOfRecord}} = {{limits.partsOfRecord}} - 1
BEGIN
  UPDATE organizations SET record_count = record_count + 1 WHERE id = NEW.organization_id;
END;

-- each table: invoice_line_items | milestones
CREATE TRIGGER {{table}}_give_room AFTER DELETE ON {{table}}
WHEN OLD.position % {{limits.partsOfRecord}} = {{limits.partsOfRecord}} - 1
BEGIN
  UPDATE organizations SET record_count = record_count - 1 WHERE id = OLD.organization_id;
END;

CREATE TRIGGER deliverable_versions_take_room AFTER INSERT ON deliverable_versions
WHEN NEW.version_number > 1
BEGIN
  UPDATE organizations SET record_count = record_count + 1 WHERE id = NEW.organization_id;
END;

CREATE TRIGGER deliverable_versions_give_room AFTER DELETE ON deliverable_versions
WHEN OLD.version_number > 1
BEGIN
  UPDATE organizations SET record_count = record_count - 1 WHERE id = OLD.organization_id;
END;

CREATE TRIGGER scope_request_evidence_take_room AFTER INSERT ON scope_request_evidence
BEGIN
  UPDATE organizations SET record_count = record_count + 1 + {{moreRecordsOf NEW}}
  WHERE id = NEW.organization_id;
END;

-- An erased message is short.
CREATE TRIGGER scope_request_evidence_change_room AFTER UPDATE OF content, metadata ON scope_request_evidence
WHEN {{moreRecordsOf NEW}} <> {{moreRecordsOf OLD}}
BEGIN
  UPDATE organizations SET record_count = record_count - {{moreRecordsOf OLD}} + {{moreRecordsOf NEW}}
  WHERE id = NEW.organization_id;
END;

CREATE TRIGGER scope_request_evidence_give_room AFTER DELETE ON scope_request_evidence
BEGIN
  UPDATE organizations SET record_count = record_count - 1 - {{moreRecordsOf OLD}}
  WHERE id = OLD.organization_id;
END;

CREATE TRIGGER stored_images_take_room AFTER INSERT ON stored_images
BEGIN
  UPDATE organizations SET storage_bytes = storage_bytes + NEW.bytes WHERE id = NEW.organization_id;
END;

CREATE TRIGGER stored_images_give_room AFTER DELETE ON stored_images
BEGIN
  UPDATE organizations SET storage_bytes = storage_bytes - OLD.bytes WHERE id = OLD.organization_id;
END;

-- A workspace that is over its room, since its plan became smaller, keeps what it has.
CREATE TRIGGER organizations_records_cap AFTER UPDATE OF record_count ON organizations
WHEN NEW.record_count > OLD.record_count
BEGIN
  SELECT RAISE(ABORT, 'plan_records_cap') FROM plans WHERE name = NEW.plan AND NEW.record_count > records_cap;
END;

CREATE TRIGGER organizations_storage_cap AFTER UPDATE OF storage_bytes ON organizations
WHEN NEW.storage_bytes > OLD.storage_bytes
BEGIN
  SELECT RAISE(ABORT, 'plan_storage_cap') FROM plans
  WHERE name = NEW.plan AND NEW.storage_bytes > storage_mb * {{limits.bytesPerMegabyte}};
END;
