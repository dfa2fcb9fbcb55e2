import { sql } from "drizzle-orm";
import { deliverables, deliverableVersions, feedback, reviewNotices, signOffs } from "../schema/review.ts";
import { clients } from "../schema/work.ts";
import { organizations } from "../schema/workspace.ts";
import { after, before, raise, type Statement } from "../trigger.ts";

/** Feedback and sign-offs. A sign-off binds to the newest version: nobody signs what has been replaced. */
export const reviewTriggers: readonly Statement[] = [
  before(feedback, "INSERT", "while_open", ({ NEW }) => ({
    when: sql`(SELECT current_state FROM ${deliverables} WHERE id = ${NEW.deliverable_id}) = 'signed_off'`,
    do: raise("deliverable_signed_off"),
  })),
  before(signOffs, "INSERT", "while_open", ({ NEW }) => ({
    do: [
      raise(
        "deliverable_signed_off",
        sql`WHERE (SELECT current_state FROM ${deliverables} WHERE id = ${NEW.deliverable_id}) = 'signed_off'`,
      ),
      raise(
        "version_not_newest",
        sql`WHERE ${NEW.version_number} <>
          (SELECT version_number FROM ${deliverables} WHERE id = ${NEW.deliverable_id})`,
      ),
    ],
  })),
  // What its proof says of the version and the workspace stands in the row itself, whoever inserted it.
  after(signOffs, "INSERT", "complete", ({ NEW }) => ({
    do: [
      sql`UPDATE ${signOffs} SET
          version_hash = (SELECT hash FROM ${deliverableVersions}
            WHERE deliverable_id = ${NEW.deliverable_id} AND version_number = ${NEW.version_number}),
          workspace = (SELECT name FROM ${organizations} WHERE id = ${NEW.organization_id})
        WHERE id = ${NEW.id}`,
      sql`UPDATE ${deliverables} SET current_state = 'signed_off' WHERE id = ${NEW.deliverable_id}`,
    ],
  })),
  // Mails about what came through the client's page, and to the client about what the workspace answers. What an admin
  // records tells nobody; sample data is never mailed.
  after(feedback, "INSERT", "notice", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin' OR ${NEW.kind} = 'reply'`,
    do: sql`INSERT INTO ${reviewNotices} (organization_id, deliverable_id, feedback_id, recipient)
      SELECT ${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, iif(${NEW.kind} = 'reply', 'client', 'owner')
      FROM ${deliverables} JOIN ${clients} ON clients.id = deliverables.client_id
      WHERE deliverables.id = ${NEW.deliverable_id} AND NOT deliverables.is_sample AND NOT clients.is_sample`,
  })),
  after(signOffs, "INSERT", "notices", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin'`,
    do: sql`INSERT INTO ${reviewNotices} (organization_id, deliverable_id, sign_off_id, recipient)
      VALUES (${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, 'owner'),
        (${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, 'client')`,
  })),
];
