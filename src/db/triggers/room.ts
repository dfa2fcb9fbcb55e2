import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { moreRecordsOf, scopeRequestEvidence } from "../schema/review.ts";
import { organizations, plans } from "../schema/workspace.ts";
import { after, raise, type Statement } from "../trigger.ts";

/** Room of a workspace: what is counted is declared beside the tables. */
export const roomTriggers: readonly Statement[] = [
  // An erased message is short.
  after(scopeRequestEvidence, ["content", "metadata"], "recounted", ({ NEW, OLD }) => ({
    when: sql`${moreRecordsOf(NEW)} <> ${moreRecordsOf(OLD)}`,
    do: sql`UPDATE ${organizations} SET record_count = record_count - ${moreRecordsOf(OLD)} + ${moreRecordsOf(NEW)}
      WHERE id = ${NEW.organization_id}`,
  })),
  // A workspace that is over its room, since its plan became smaller, keeps what it has.
  after(organizations, ["record_count"], "records_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.record_count} > ${OLD.record_count}`,
    do: raise(
      "plan_records_cap",
      sql`FROM ${plans} WHERE name = ${NEW.plan} AND ${NEW.record_count} > records_cap`,
    ),
  })),
  after(organizations, ["storage_bytes"], "storage_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.storage_bytes} > ${OLD.storage_bytes}`,
    do: raise(
      "plan_storage_cap",
      sql`FROM ${plans}
        WHERE name = ${NEW.plan} AND ${NEW.storage_bytes} > storage_mb * ${limits.bytesPerMegabyte}`,
    ),
  })),
];
