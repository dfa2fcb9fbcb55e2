import * as z from "zod";
import { dryRunIn } from "../core/ledger/dry-run.ts";
import type { RequestIdentity } from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { serialize } from "./serialize.ts";

/** A write that is judged by the same code and kept nowhere (contract I12-I15). */

/** The query parameters of every write with an Idempotency-Key. */
export const DryRunParameters = z.strictObject({
  dry_run: z.enum(["true", "false"]).optional().meta({
    description:
      "`true` judges the request and keeps nothing of it: see the answer 200. It needs no Idempotency-Key",
    example: "true",
  }),
});

/** The legacy create ignores parameters. */
export const asksForDryRun = (
  { ignoresUnknown }: { ignoresUnknown?: true },
  { raw }: PartnerRequest,
): boolean =>
  !ignoresUnknown && raw.url.includes("?") && new URL(raw.url).searchParams.get("dry_run") === "true";

/** A bucket that takes every image and keeps none. The cast: a write stores and removes images, and reads none. */
const emptyBucket = { put: async () => {}, delete: async () => {} } as object as R2Bucket;

/** What a verb may use in a dry run: a database and a bucket that keep nothing. Mails it describes by itself. */
export const dryRunServices = (services: Services, entry: RequestIdentity): Services => ({
  ...services,
  db: dryRunIn(services.db, entry),
  images: emptyBucket,
});

interface DryRunOutcome {
  answer: object;
  wouldBe: number;
  /** Stands for the Idempotency-Key that was left out: what would hold the key is null. */
  keyStandIn: string | undefined;
}

/** What the work would have answered, as `schema` documents it, and that nothing was done. */
export function dryRunAnswer(schema: z.ZodType, { answer, wouldBe, keyStandIn }: DryRunOutcome): object {
  const fields = Object.entries(answer).map(([name, value]) => [name, value === keyStandIn ? null : value]);
  return { dry_run: true, would_be: wouldBe, ...serialize(schema, Object.fromEntries(fields)) };
}
