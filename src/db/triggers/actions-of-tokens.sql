-- What a token writes through the API stands in the audit log, from the transaction that wrote it.

-- each table, action: clients, client.created | projects, project.created | time_entries, time_entry.created
--   | invoices, invoice.created | deliverables, deliverable.created | scope_request_evidence, scope_request.ingested
CREATE TRIGGER {{table}}_audited AFTER INSERT ON {{table}}
WHEN NEW.api_token_id IS NOT NULL
BEGIN
  INSERT INTO audit_log (organization_id, actor, action, subject_id, api_token_id)
  SELECT NEW.organization_id, members.email, '{{action}}', NEW.id, NEW.api_token_id
  FROM api_tokens JOIN members ON members.id = api_tokens.created_by
  WHERE api_tokens.id = NEW.api_token_id;
END;

-- Version 1 is written with its deliverable.
-- each table, action, condition: deliverable_versions, version_added, NEW.version_number > 1
--   | deliverable_sends, sent, NEW.version_number > 0
CREATE TRIGGER {{table}}_audited AFTER INSERT ON {{table}}
WHEN NEW.api_token_id IS NOT NULL AND {{condition}}
BEGIN
  INSERT INTO audit_log (organization_id, actor, action, subject_id, api_token_id, details)
  SELECT NEW.organization_id, members.email, 'deliverable.{{action}}', NEW.deliverable_id, NEW.api_token_id,
    json_object('version_number', NEW.version_number)
  FROM api_tokens JOIN members ON members.id = api_tokens.created_by
  WHERE api_tokens.id = NEW.api_token_id;
END;
