import { sql } from "drizzle-orm";
import { now } from "../../db/columns.ts";
import { after, before, raise, type Statement } from "../../db/trigger.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { reviewNotices } from "../notices/tables.ts";
import { feedback } from "./tables.ts";

export const feedbackGuards: readonly Statement[] = [
  before(feedback, "INSERT", "while_open", ({ NEW }) => ({
    when: sql`(SELECT current_state FROM ${deliverables} WHERE id = ${NEW.deliverable_id}) = 'signed_off'`,
    do: raise("deliverable_signed_off"),
  })),
  // Notifies the workspace about feedback that clients leave on the page, and the client about the workspace's
  // replies. Sample data and feedback that an admin records do not create notices.
  after(feedback, "INSERT", "notice", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin' OR ${NEW.kind} = 'reply'`,
    do: sql`INSERT INTO ${reviewNotices} (organization_id, deliverable_id, feedback_id, recipient)
      SELECT ${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, iif(${NEW.kind} = 'reply', 'client', 'owner')
      FROM ${deliverables} JOIN ${clients} ON clients.id = deliverables.client_id
      WHERE deliverables.id = ${NEW.deliverable_id} AND NOT deliverables.is_sample AND NOT clients.is_sample`,
  })),
  // Clients who have responded are not reminded.
  after(feedback, "INSERT", "added_to_deliverable", ({ NEW }) => ({
    do: sql`UPDATE ${deliverables} SET updated_at = max(updated_at, ${now}),
        reminder_due_at = iif(${NEW.kind} = 'reply', reminder_due_at, NULL)
      WHERE id = ${NEW.deliverable_id}
        AND (updated_at < ${now} OR (reminder_due_at IS NOT NULL AND ${NEW.kind} <> 'reply'))`,
  })),
];
