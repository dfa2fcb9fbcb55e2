import { claimLimits, limits } from "../../contract/limits.ts";
import { inBatches } from "../../db/in-batches.ts";
import { batch, run } from "../../db/query.ts";
import { dropSecrets, purgeEntries } from "./forget-entries.ts";
import { purgeServiceEntries } from "./service-ledger.ts";

const stepLimits = { maxRows: 500, maxBatches: 10 };

/** Deletes expired secrets, responses and entries in bounded batches, oldest first. */
export async function purgeLedger(db: D1Database): Promise<void> {
  await batch(db, [
    dropSecrets(limits.doubleSubmitSeconds),
    purgeServiceEntries(claimLimits.answerDays, stepLimits.maxRows),
  ]);
  await inBatches(stepLimits, async () => {
    const { count, drop } = purgeEntries(claimLimits.answerDays, stepLimits.maxRows);
    const taken = await run(db, count);
    if (taken > 0) await batch(db, drop);
    return taken;
  });
}
