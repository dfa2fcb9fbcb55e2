/** HTTP-date in its three forms (RFC 9110, 5.6.7): IMF-fixdate, RFC 850 and asctime. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** A number of seconds. Some servers send a fraction or, behind a proxy, two values. */
const seconds = /^\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*$/;

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3) into seconds: 0 for a date in the past, null for a missing or
 * invalid header. Fractions are rounded up. If there are several values, the largest wins.
 */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (seconds.test(text)) return Math.max(...text.split(",").map((each) => Math.ceil(Number(each))));
  if (!httpDates.some((form) => form.test(text))) return null;
  const timeMs = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(timeMs) ? null : Math.max(0, (timeMs - now.getTime()) / 1000);
}
