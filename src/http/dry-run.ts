import * as z from "zod";
import { dryRunDatabase } from "../core/ledger/dry-run.ts";
import type { RequestIdentity } from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import type { PartnerRequest } from "./partner-request.ts";

/** A write that runs through the normal code path but is not saved (contract I12-I15). */

/** The query parameters for writes with an Idempotency-Key. */
export const DryRunParameters = z.strictObject({
  dry_run: z
    .enum(["true", "false"])
    .optional()
    .meta({
      description:
        "`true` validates the request without saving anything. An Idempotency-Key is then optional. See the " +
        "200 response",
      example: "true",
    }),
});

/** Whether a request is a dry run. The legacy create ignores parameters. */
export const isDryRun = ({ ignoresUnknown }: { ignoresUnknown?: true }, { raw }: PartnerRequest): boolean =>
  !ignoresUnknown && raw.url.includes("?") && new URL(raw.url).searchParams.get("dry_run") === "true";

/** A bucket that accepts every image but does not store it. The cast is safe: writes only store and remove images. */
const emptyBucket = { put: async () => {}, delete: async () => {} } as object as R2Bucket;

/**
 * Builds the services for a dry run. The database and bucket do not save anything, and e-mails are described instead of
 * sent.
 */
export const dryRunServices = (services: Services, entry: RequestIdentity): Services => ({
  ...services,
  db: dryRunDatabase(services.db, entry),
  images: emptyBucket,
});

/** Replaces the request's id, which a dry run without an Idempotency-Key uses as its key, with null. */
export const withoutKey = (answer: object, requestId: string): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, value === requestId ? null : value]),
  );
