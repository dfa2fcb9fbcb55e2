import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { notErasing } from "../erasing.ts";
import { deliverables, deliverableVersions } from "../schema/review.ts";
import { projects, revisionOverrides } from "../schema/work.ts";
import { after, before, raise, type Statement } from "../trigger.ts";

/** Versions: a gapless hash chain; each after the first uses a revision round and becomes the working copy. */
export const versionTriggers: readonly Statement[] = [
  before(deliverableVersions, "INSERT", "append", ({ NEW }) => ({
    do: [
      raise("row_exists", sql`WHERE EXISTS (SELECT 1 FROM ${deliverableVersions} WHERE id = ${NEW.id})`),
      raise(
        "deliverable_signed_off",
        sql`WHERE (SELECT current_state FROM ${deliverables} WHERE id = ${NEW.deliverable_id}) = 'signed_off'`,
      ),
      raise("too_many_versions", sql`WHERE ${NEW.version_number} > ${limits.versionsPerDeliverable}`),
      raise(
        "version_conflict",
        sql`WHERE ${NEW.version_number} <> 1 + coalesce(
            (SELECT max(version_number) FROM ${deliverableVersions} WHERE deliverable_id = ${NEW.deliverable_id}), 0)
          OR ${NEW.previous_hash} IS NOT (
            SELECT hash FROM ${deliverableVersions} WHERE deliverable_id = ${NEW.deliverable_id}
            ORDER BY version_number DESC LIMIT 1)`,
      ),
      raise(
        "revision_over_budget",
        sql`FROM ${deliverables} JOIN ${projects} ON projects.id = deliverables.project_id
          WHERE ${NEW.version_number} > 1 AND deliverables.id = ${NEW.deliverable_id}
            AND revision_rounds_used >= included_revision_rounds + overridden_revision_rounds`,
      ),
    ],
  })),
  after(deliverableVersions, "INSERT", "become_working_copy", ({ NEW }) => ({
    when: sql`${NEW.version_number} > 1`,
    do: [
      sql`UPDATE ${deliverables} SET
          version_number = ${NEW.version_number},
          change_request_count = 0,
          title = ${NEW.title},
          embed_url = ${NEW.embed_url},
          asset_path = ${NEW.asset_path}
        WHERE id = ${NEW.deliverable_id}`,
      sql`UPDATE ${projects} SET revision_rounds_used = revision_rounds_used + 1
        WHERE id = (SELECT project_id FROM ${deliverables} WHERE id = ${NEW.deliverable_id})`,
    ],
  })),
  before(deliverableVersions, "DELETE", "kept", ({ OLD }) => ({
    when: sql`EXISTS (SELECT 1 FROM ${deliverables} WHERE id = ${OLD.deliverable_id})
      AND ${notErasing(OLD)}`,
    do: raise("immutable"),
  })),
  after(revisionOverrides, "INSERT", "count", ({ NEW }) => ({
    do: sql`UPDATE ${projects} SET overridden_revision_rounds = overridden_revision_rounds + ${NEW.rounds}
      WHERE id = ${NEW.project_id}`,
  })),
];
