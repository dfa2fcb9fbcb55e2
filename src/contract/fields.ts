import { Buffer } from "node:buffer";
import * as z from "zod";
import { isInvisible, isOneLine, isPrintable } from "./characters.ts";
import { currencyDigits } from "./currencies.ts";
import { dayOf, isCalendarDay, toInstant, toUtc } from "./instants.ts";

/** Field types (contract T1-T8), for bodies (…Input) and responses. */

export const id = z.string().meta({ format: "uuid", example: "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10" });

/** An id in a body or path; the error for a malformed id names the field. */
export const idInput = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, {
    error: (issue) => `${fieldOf(issue)} must be a UUID`,
  })
  .toLowerCase()
  .meta({
    override: { format: "uuid", pattern: undefined },
    example: "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10",
  });

/** Lowercases an id; returns a slug unchanged. */
export const asSlugOrId = (text: string): string => idInput.safeParse(text).data ?? text;

/** The client for a new record. A missing id and an id with the wrong type get the same error (contract E6). */
export const clientIdInput = z
  .string("client_id is required")
  .min(1, "client_id is required")
  .pipe(idInput)
  .meta({ format: "uuid", example: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11" });

/** A time in UTC, always with milliseconds. */
export const timestamp = z.string().meta({ format: "date-time", example: "2026-01-31T09:30:00.000Z" });

/** An ISO 8601 time with any offset, converted to UTC with milliseconds, as the database stores it. */
export const timestampInput = z
  .string()
  .refine((text) => toUtc(text) !== null, {
    error: (issue) => `${fieldOf(issue)} must be an ISO 8601 timestamp with an offset`,
  })
  .transform((text) => toUtc(text) ?? "")
  .meta({ override: { type: "string", format: "date-time" }, example: "2026-01-31T10:30:00+01:00" });

/**
 * Accepts ISO 8601: basic or extended; a calendar, week or ordinal date; with or without an offset (no offset means
 * UTC); or only a day (midnight UTC). Fractions of a millisecond round up, so that "at or after" never includes
 * anything earlier.
 */
export const instantInput = z
  .string()
  .refine((text) => toInstant(text) !== null, {
    error: (issue) => `${fieldOf(issue)} must be an ISO 8601 timestamp`,
  })
  .transform((text) => toInstant(text) ?? "")
  .meta({ override: { type: "string", format: "date-time" }, example: "2026-01-31T09:30:00Z" });

/** A timestamp with an offset, and the calendar day at that offset. */
export const momentInput = z
  .string()
  .refine((text) => toUtc(text) !== null, {
    error: (issue) => `${fieldOf(issue)} must be an ISO 8601 timestamp with an offset`,
  })
  .transform((text) => ({ at: toUtc(text) ?? "", day: dayOf(text) }))
  .meta({ override: { type: "string", format: "date-time" }, example: "2026-01-31T10:30:00+01:00" });

/** A calendar day, such as `2026-01-31`. */
export const date = z.string().meta({ format: "date", example: "2026-01-31" });

export const dateInput = z
  .string()
  .refine(isCalendarDay, { error: (issue) => `${fieldOf(issue)} must be a calendar day like 2026-01-31` })
  .meta({ format: "date", example: "2026-01-31" });

/** The characters that a string may contain, and the error for all others. */
interface Characters {
  allows(value: string): boolean;
  words: string;
}

/**
 * A string of `min` to `max` characters (Unicode code points) after trimming. A string without visible characters
 * counts as empty (contract T4, T13).
 */
const textOf = ({ allows, words }: Characters, min: number, max: number, error?: string) =>
  z
    .string(error)
    .trim()
    .refine(allows, { error: (issue) => `${fieldOf(issue)} must be ${words}` })
    .overwrite((value) => (isInvisible(value) ? "" : value))
    .refine((value) => isBetween(characterCount(value), min, max), {
      error: (issue) =>
        error ?? `${fieldOf(issue)} must have ${min > 0 ? `${min} to ${max}` : `at most ${max}`} characters`,
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

const paragraphs = { allows: isPrintable, words: "Unicode text without control characters" };

/** Safe for lists, e-mail subjects and terminals. Tabs become spaces. */
const oneLine = {
  allows: (value: string) => isPrintable(value) && isOneLine(withoutTabs(value)),
  words: "one line without control characters",
};

/** Excludes NUL, because SQLite's text functions stop there. */
const evidence = {
  allows: (value: string) => value.isWellFormed() && !value.includes("\0"),
  words: "Unicode text without NUL",
};

const withoutTabs = (value: string) => value.replaceAll("\t", " ");

/** Multi-line text. Keeps tabs and line breaks. */
export const text = (min: number, max: number) => textOf(paragraphs, min, max);

/** Single-line text, such as a name or a title. */
export const line = (min: number, max: number, error?: string) =>
  textOf(oneLine, min, max, error).overwrite(withoutTabs);

/** Text by someone outside the workspace, which keeps its control characters. */
export const evidenceText = (min: number, max: number) => textOf(evidence, min, max);

/** Makes a string optional. A string that is empty after trimming counts as absent. */
const orAbsent = (field: z.ZodType<string, string>) =>
  z.optional(field.transform((value) => (value === "" ? undefined : value)));

export const optionalText = (max: number) => orAbsent(text(0, max));
export const optionalLine = (max: number) => orAbsent(line(0, max));

/** Documents an enum that may grow without notice (contract K3): lists the known values and accepts any string. */
const growing = (values: readonly string[]) => ({
  override: {
    type: undefined,
    enum: undefined,
    anyOf: [{ type: "string" as const, enum: [...values] }, { type: "string" as const }],
  },
});

export const openEnum = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values).meta(growing(values));

/** Like `growing`, for values that are not one of our closed sets. */
export const openText = (values: readonly string[]) => z.string().meta(growing(values));

/** Documents a body field's default in its description, because code generators make fields with `default` required. */
export const defaultOf = (value: unknown, description = "") => ({
  override: { default: undefined },
  description: [description, `Default: ${JSON.stringify(value)}`].filter(Boolean).join(". "),
});

export const money = z.number().meta({
  description: "A decimal amount, with as many decimal places as the currency has",
  example: 1250.5,
});

/**
 * The range keeps minor units within safe integers. Amounts multiplied by quantities are checked where they are
 * computed.
 */
export const moneyInput = z
  .number()
  .min(-1_000_000_000_000)
  .max(1_000_000_000_000)
  .meta({ description: "A decimal amount, with at most as many decimal places as the currency has" });

/** An amount that was paid or returned. */
export const amountInput = moneyInput.gt(0, "amount must be more than 0");

export const listOf = <S extends z.ZodType>(item: S) =>
  z.array(item).min(1, { error: (issue) => `${fieldOf(issue)} must have at least one item` });

export const currency = z.string().meta({ description: "An ISO 4217 code", example: "USD" });

export const currencyInput = z
  .string()
  .refine((code) => currencyDigits.has(code), {
    error: (issue) => `${fieldOf(issue)} must be an ISO 4217 code like USD`,
  })
  .meta({ pattern: "^[A-Z]{3}$", description: "An active ISO 4217 code", example: "USD" });

/** The longest e-mail address (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const emailCharacters = 254;

/** The longest DNS name (RFC 1035, 2.3.4), without the root dot. */
const domainCharacters = 253;

/**
 * Labels of at most 63 characters. The last label is not numeric, because a numeric one would make the name an IP
 * address.
 */
const dnsName = /^(?:[a-z0-9-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/;

/** At least two valid DNS labels, in any script. */
const domain = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)(?:\.(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-))+$/u;

/** Words in any script, separated by dots, without quotes, separators or invisible characters. */
const mailbox = /^[^\s\p{C}.@<>",;:\\()[\]]+(?:\.[^\s\p{C}.@<>",;:\\()[\]]+)*$/u;

/** RFC 5321, 4.5.3.1.1, limits the bytes before the `@`. */
const mailboxBytes = 64;

function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  return (
    characterCount(text) <= emailCharacters &&
    mailbox.test(local) &&
    Buffer.byteLength(local) <= mailboxBytes &&
    isDomain(text.slice(at + 1))
  );
}

/** Whether the name, as encoded in DNS, is short enough. Non-ASCII labels are longer there (RFC 5891). */
function isDomain(text: string): boolean {
  const name = domain.test(text) ? URL.parse(`https://${text}`)?.hostname : undefined;
  return name !== undefined && name.length <= domainCharacters && dnsName.test(name);
}

export const emailInput = z
  .string()
  .trim()
  .refine(isEmailAddress, {
    error: (issue) => `${fieldOf(issue)} must be an e-mail address of at most ${emailCharacters} characters`,
  })
  .meta({ format: "email", maxLength: emailCharacters });

export const characterCount = (value: string) => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

function fieldOf(issue: { path?: PropertyKey[] | undefined }): string {
  return (issue.path ?? []).join(".");
}

const isBetween = (value: number, min: number, max: number) => value >= min && value <= max;
