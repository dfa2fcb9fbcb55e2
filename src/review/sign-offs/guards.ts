import { sql } from "drizzle-orm";
import { after, before, raise, type Statement } from "../../db/trigger.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { deliverables, deliverableVersions } from "../deliverables/tables.ts";
import { reviewNotices } from "../notices/tables.ts";
import { signOffs } from "./tables.ts";

export const signOffsGuards: readonly Statement[] = [
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
  // Adds the version's hash and the workspace's name to the row, even if plain SQL inserted it.
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
  after(signOffs, "INSERT", "notices", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin'`,
    do: sql`INSERT INTO ${reviewNotices} (organization_id, deliverable_id, sign_off_id, recipient)
      VALUES (${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, 'owner'),
        (${NEW.organization_id}, ${NEW.deliverable_id}, ${NEW.id}, 'client')`,
  })),
];
