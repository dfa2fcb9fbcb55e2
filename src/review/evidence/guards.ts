import { sql } from "drizzle-orm";
import { after, type Statement } from "../../db/trigger.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { moreRecordsOf, scopeRequestEvidence } from "./tables.ts";

export const evidenceGuards: readonly Statement[] = [
  // Erasing a message shortens it, so it may count as fewer records.
  after(scopeRequestEvidence, ["content", "metadata"], "recounted", ({ NEW, OLD }) => ({
    when: sql`${moreRecordsOf(NEW)} <> ${moreRecordsOf(OLD)}`,
    do: sql`UPDATE ${organizations} SET record_count = record_count - ${moreRecordsOf(OLD)} + ${moreRecordsOf(NEW)}
      WHERE id = ${NEW.organization_id}`,
  })),
];
