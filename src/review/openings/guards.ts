import { type SQL, sql } from "drizzle-orm";
import { after, type Statement } from "../../db/trigger.ts";
import { reviewKeys } from "../access/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { feedback } from "../feedback/tables.ts";
import { signOffs } from "../sign-offs/tables.ts";
import { reviewOpenings } from "./tables.ts";

interface FormRow {
  organization_id: SQL;
  deliverable_id: SQL;
  created_at: SQL;
}

/** A visitor who submits a form has opened the review, even without JavaScript. */
const opened = ({ organization_id, deliverable_id, created_at }: FormRow, version: SQL, visitor: SQL) =>
  sql`INSERT INTO ${reviewOpenings} (organization_id, deliverable_id, day, version_number, visitor, created_at)
    VALUES (${organization_id}, ${deliverable_id}, substr(${created_at}, 1, 10), ${version}, ${visitor}, ${created_at})
    ON CONFLICT DO NOTHING`;

const client = sql`''`;

export const openingsGuards: readonly Statement[] = [
  after(feedback, "INSERT", "opened", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin'`,
    do: opened(
      NEW,
      NEW.version_number,
      sql`iif(${NEW.attribution} = 'link_only', ${NEW.author_name}, ${client})`,
    ),
  })),
  after(signOffs, "INSERT", "opened", ({ NEW }) => ({
    when: sql`${NEW.attribution} <> 'recorded_by_admin'`,
    do: opened(NEW, NEW.version_number, client),
  })),
  // Only for a confirmed code. An e-mailed link's key is created before anyone opens the link.
  after(reviewKeys, "INSERT", "opened", ({ NEW }) => ({
    when: sql`${NEW.attribution} = 'mailed_code'`,
    do: opened(
      NEW,
      sql`(SELECT version_number FROM ${deliverables} WHERE id = ${NEW.deliverable_id})`,
      client,
    ),
  })),
];
