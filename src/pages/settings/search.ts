import type { C } from "./page-context.ts";

export const deliveryFields = [
  "status",
  "event",
  "since",
  "until",
  "subject_id",
  "http_status",
  "endpoint",
  "cursor",
] as const;

/** Reads the values of these fields from the URL. */
export function searchOf(c: C, fields: readonly string[]): Record<string, string> {
  const given = fields.flatMap((name) => {
    const value = c.req.query(name)?.trim();
    return value ? [[name, name === "endpoint" ? value.toLowerCase() : value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** A browser's date field has no offset, so its value is interpreted as UTC. */
const withOffset = (text: string) => (/T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? `${text}Z` : text);

/** Returns the search with times formatted for an operation. */
export const timesOf = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      /^(?:since|until)$/.test(name) ? withOffset(String(value)) : String(value),
    ]),
  );

export const pick = <T>(search: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(search).filter(([name]) => names.includes(name)));
