import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { now } from "../../db/columns.ts";
import { notErasing } from "../../db/erasing.ts";
import { after, before, raise, type Statement } from "../../db/trigger.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { signOffs } from "../sign-offs/tables.ts";
import { deliverableSends, deliverables, deliverableVersions } from "./tables.ts";

/** Deliverables count against the plan, and are final once signed off. */
export const deliverableGuards: readonly Statement[] = [
  before(deliverables, "INSERT", "start", ({ NEW }) => ({
    do: [
      raise("deliverable_starts_open", sql`WHERE ${NEW.current_state} <> 'open' OR ${NEW.is_final} <> 0`),
      raise(
        "plan_deliverable_cap",
        sql`FROM ${organizations} JOIN ${plans} ON plans.name = organizations.plan
          WHERE organizations.id = ${NEW.organization_id} AND organizations.deliverable_count >= plans.deliverable_cap`,
      ),
    ],
  })),
  before(deliverables, "UPDATE", "final", ({ OLD }) => ({
    when: sql`${OLD.is_final} = 1`,
    do: raise("deliverable_signed_off"),
  })),
  before(deliverables, ["is_final"], "final_by_sign_off", ({ NEW, OLD }) => ({
    when: sql`${NEW.is_final} <> ${OLD.is_final} AND ${OLD.current_state} = 'open'`,
    do: raise("final_by_sign_off"),
  })),
  after(deliverables, ["current_state"], "finalize", ({ NEW, OLD }) => ({
    when: sql`${OLD.current_state} = 'open' AND ${NEW.current_state} = 'signed_off'`,
    do: sql`UPDATE ${deliverables} SET
        is_final = 1,
        reminder_due_at = NULL,
        delivery_problem = NULL,
        signed_off_at = coalesce(
          signed_off_at,
          (SELECT created_at FROM ${signOffs} WHERE deliverable_id = ${NEW.id}),
          ${now}
        ),
        updated_at = max(updated_at, ${now})
      WHERE id = ${NEW.id}`,
  })),
  before(deliverables, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${notErasing(OLD)}`,
    do: [
      raise("deliverable_signed_off", sql`WHERE ${OLD.current_state} = 'signed_off'`),
      raise("deliverable_kept", sql`WHERE ${OLD.sent_at} IS NOT NULL OR ${OLD.version_number} <> 1`),
    ],
  })),
  after(deliverables, "DELETE", "take_versions_along", ({ OLD }) => ({
    do: sql`DELETE FROM ${deliverableVersions} WHERE deliverable_id = ${OLD.id}`,
  })),
  // If sent_at is set in plain SQL, adds the missing row to deliverable_sends.
  after(deliverables, ["sent_at"], "sent_by_hand", ({ NEW, OLD }) => ({
    when: sql`${NEW.sent_at} IS NOT NULL AND ${NEW.sent_at} IS NOT ${OLD.sent_at}
      AND NOT EXISTS (SELECT 1 FROM ${deliverableSends} WHERE deliverable_id = ${NEW.id} AND sent_at = ${NEW.sent_at})`,
    do: sql`INSERT INTO ${deliverableSends} (organization_id, deliverable_id, version_number, sent_at)
      VALUES (${NEW.organization_id}, ${NEW.id}, ${NEW.version_number}, ${NEW.sent_at})`,
  })),
  after(clients, ["status"], "archived_ends_reminders", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} = 'archived' AND ${OLD.status} <> 'archived'`,
    do: sql`UPDATE ${deliverables} SET reminder_due_at = NULL
      WHERE client_id = ${NEW.id} AND reminder_due_at IS NOT NULL`,
  })),
  before(deliverableVersions, "INSERT", "append", ({ NEW }) => ({
    do: [
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
          asset_path = ${NEW.asset_path},
          reminder_due_at = NULL
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
];
