import { sql } from "drizzle-orm";
import { notErasing } from "../erasing.ts";
import { now } from "../schema/columns.ts";
import { deliverableSends, deliverables, deliverableVersions, signOffs } from "../schema/review.ts";
import { organizations, plans } from "../schema/workspace.ts";
import { after, before, raise, type Statement } from "../trigger.ts";

/** Deliverables: counted against the plan, and final once they are signed off. */
export const deliverableTriggers: readonly Statement[] = [
  before(deliverables, "INSERT", "start", ({ NEW }) => ({
    do: [
      raise("row_exists", sql`WHERE EXISTS (SELECT 1 FROM ${deliverables} WHERE id = ${NEW.id})`),
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
  // A send is a row in deliverable_sends; setting deliverables.sent_at records one.
  after(deliverables, ["sent_at"], "sent_by_hand", ({ NEW, OLD }) => ({
    when: sql`${NEW.sent_at} IS NOT NULL AND ${NEW.sent_at} IS NOT ${OLD.sent_at}
      AND NOT EXISTS (SELECT 1 FROM ${deliverableSends} WHERE deliverable_id = ${NEW.id} AND sent_at = ${NEW.sent_at})`,
    do: sql`INSERT INTO ${deliverableSends} (organization_id, deliverable_id, version_number, sent_at)
      VALUES (${NEW.organization_id}, ${NEW.id}, ${NEW.version_number}, ${NEW.sent_at})`,
  })),
];
