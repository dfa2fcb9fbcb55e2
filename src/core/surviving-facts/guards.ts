import { type SQL, sql } from "drizzle-orm";
import { after, changes, type Statement } from "../../db/trigger.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { unsentFacts } from "./tables.ts";

const queueFact = (organizationId: SQL, subjectId: SQL, value: SQL) =>
  sql`INSERT INTO ${unsentFacts} (organization_id, subject_id, value) VALUES (${organizationId}, ${subjectId}, ${value})
    ON CONFLICT (organization_id, subject_id) DO UPDATE SET value = excluded.value`;

interface Ending {
  organization_id: SQL;
  id: SQL;
  revoked_at: SQL;
  expires_at: SQL;
}

const endOf = ({ organization_id, id, revoked_at, expires_at }: Ending) =>
  queueFact(organization_id, id, sql`coalesce(${revoked_at}, ${expires_at}, '')`);

/** Triggers that queue every change for the coordinator, including changes in plain SQL. */
export const survivingFactsGuards: readonly Statement[] = [
  after(apiTokens, "INSERT", "end_to_send", ({ NEW }) => ({
    when: sql`coalesce(${NEW.revoked_at}, ${NEW.expires_at}) IS NOT NULL`,
    do: endOf(NEW),
  })),
  after(apiTokens, ["revoked_at", "expires_at"], "changed_end_to_send", (rows) => ({
    when: changes(rows, "revoked_at", "expires_at"),
    do: endOf(rows.NEW),
  })),
  after(organizations, ["next_invoice_number"], "number_to_send", ({ NEW }) => ({
    do: queueFact(NEW.id, sql`''`, NEW.next_invoice_number),
  })),
];
