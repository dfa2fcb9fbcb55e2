import * as z from "zod";
import { dayMs } from "../contract/durations.ts";
import { report } from "../platform/log.ts";

/** At least 90 days from the first Sunset header (contract K4). */
const noticeDays = 90;
const Deprecation = z
  .strictObject({
    /** When the path was deprecated. */
    deprecated_at: z.iso.datetime(),
    /** When it is removed. */
    sunset_at: z.iso.datetime(),
    /** When the headers are first sent, if later than deprecated_at. */
    announced_at: z.iso.datetime().optional(),
  })
  .refine(
    ({ deprecated_at, sunset_at, announced_at = deprecated_at }) =>
      Date.parse(sunset_at) - Math.max(Date.parse(announced_at), Date.parse(deprecated_at)) >=
      noticeDays * dayMs,
    `sunset_at must be at least ${noticeDays} days after the first Sunset header`,
  );

type Deprecations = Record<string, z.output<typeof Deprecation>>;

const DeprecationsText = z
  .string()
  .transform((text, { issues }) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      issues.push({ code: "custom", input: text, message: "is not JSON" });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), Deprecation));

/** Parses DEPRECATIONS, the deprecation and removal dates by path (contract K4). Throws if it is invalid. */
export function parseDeprecations(configuration: string): Deprecations {
  const parsed = DeprecationsText.safeParse(configuration);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`DEPRECATIONS ${["", ...(issue?.path ?? [])].join(" ").trim()}: ${issue?.message}`);
}

let read: { from: string; deprecations: Deprecations } | undefined;

/** Logs an invalid configuration once and treats it as empty, so that a typo does not take routes down. */
function readOnce(configuration: string): Deprecations {
  if (read?.from === configuration) return read.deprecations;
  read = { from: configuration, deprecations: {} };
  try {
    read.deprecations = parseDeprecations(configuration);
  } catch (error) {
    report({ failed: "deprecations" }, error);
  }
  return read.deprecations;
}

/** Returns the Deprecation (RFC 9745) and Sunset (RFC 8594) headers of a path, if its removal is announced. */
export function deprecationHeaders(
  configuration: string,
  path: string,
  nowMs: number,
): Record<string, string> {
  const deprecation = readOnce(configuration)[path];
  if (!deprecation) return {};
  const { deprecated_at, sunset_at, announced_at = deprecated_at } = deprecation;
  if (nowMs < Date.parse(announced_at)) return {};
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecated_at) / 1000)}`,
    Sunset: new Date(sunset_at).toUTCString(),
  };
}
