-- Versions: a gapless hash chain; each after the first uses a revision round and becomes the working copy.

CREATE TRIGGER deliverable_versions_append BEFORE INSERT ON deliverable_versions
BEGIN
  SELECT RAISE(ABORT, 'deliverable_versions has a row with this id already')
  WHERE EXISTS (SELECT 1 FROM deliverable_versions WHERE id = NEW.id);

  SELECT RAISE(ABORT, 'deliverable_signed_off')
  WHERE (SELECT current_state FROM deliverables WHERE id = NEW.deliverable_id) = 'signed_off';

  SELECT RAISE(ABORT, 'too_many_versions')
  WHERE NEW.version_number > {{limits.versionsPerDeliverable}};

  SELECT RAISE(ABORT, 'version_conflict')
  WHERE NEW.version_number <> 1 + coalesce(
      (SELECT max(version_number) FROM deliverable_versions WHERE deliverable_id = NEW.deliverable_id), 0)
    OR NEW.previous_hash IS NOT (
      SELECT hash FROM deliverable_versions WHERE deliverable_id = NEW.deliverable_id
      ORDER BY version_number DESC LIMIT 1);

  SELECT RAISE(ABORT, 'revision_over_budget')
  FROM deliverables JOIN projects ON projects.id = deliverables.project_id
  WHERE NEW.version_number > 1 AND deliverables.id = NEW.deliverable_id
    AND projects.revision_rounds_used >= projects.included_revision_rounds + projects.overridden_revision_rounds;
END;

CREATE TRIGGER deliverable_versions_become_working_copy AFTER INSERT ON deliverable_versions
WHEN NEW.version_number > 1
BEGIN
  UPDATE deliverables SET
    version_number = NEW.version_number,
    title = NEW.title,
    embed_url = NEW.embed_url,
    asset_path = NEW.asset_path
  WHERE id = NEW.deliverable_id;

  UPDATE projects SET revision_rounds_used = revision_rounds_used + 1
  WHERE id = (SELECT project_id FROM deliverables WHERE id = NEW.deliverable_id);
END;

CREATE TRIGGER deliverable_versions_kept BEFORE DELETE ON deliverable_versions
WHEN EXISTS (SELECT 1 FROM deliverables WHERE id = OLD.deliverable_id)
  AND NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'a deliverable version is immutable');
END;

CREATE TRIGGER revision_overrides_count AFTER INSERT ON revision_overrides
BEGIN
  UPDATE projects SET overridden_revision_rounds = overridden_revision_rounds + NEW.rounds
  WHERE id = NEW.project_id;
END;
