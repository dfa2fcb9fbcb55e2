-- Evidence counts by the bytes of its content and metadata: what is there already is counted anew, up to the plan's cap.
UPDATE organizations SET record_count = max(record_count, min(
  record_count + (
    SELECT sum((octet_length(content) + octet_length(metadata)) / 5000 - length(content) / 5000)
    FROM scope_request_evidence WHERE organization_id = organizations.id
  ),
  coalesce((SELECT records_cap FROM plans WHERE name = organizations.plan), 9e15)
))
WHERE id IN (SELECT organization_id FROM scope_request_evidence);
