import { sql } from "drizzle-orm";
import { after, type Statement } from "../../db/trigger.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { extraRecordsOf, scopeRequestEvidence } from "./tables.ts";

export const evidenceGuards: readonly Statement[] = [
  // Erasing a message shortens it, so it may count as fewer records.
  after(scopeRequestEvidence, ["content", "metadata"], "recounted", ({ NEW, OLD }) => ({
    when: sql`${extraRecordsOf(NEW)} <> ${extraRecordsOf(OLD)}`,
    do: sql`UPDATE ${organizations} SET record_count = record_count - ${extraRecordsOf(OLD)} + ${extraRecordsOf(NEW)}
      WHERE id = ${NEW.organization_id}`,
  })),
];
