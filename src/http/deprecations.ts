import * as z from "zod";

/** Configuration DEPRECATIONS: path -> when it was deprecated and when it goes; none is set (specification 9). */
const Deprecations = z.record(
  z.string(),
  z.strictObject({ deprecated_at: z.iso.datetime(), sunset_at: z.iso.datetime() }),
);

let read: { from: string; deprecations: z.output<typeof Deprecations> } | undefined;

/** The Deprecation (RFC 9745) and Sunset (RFC 8594) headers of a path, none unless its removal date is set. */
export function deprecationHeaders(configuration: string, path: string): Record<string, string> {
  if (read?.from !== configuration) {
    read = { from: configuration, deprecations: Deprecations.parse(JSON.parse(configuration)) };
  }
  const deprecation = read.deprecations[path];
  if (!deprecation) return {};
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecation.deprecated_at) / 1000)}`,
    Sunset: new Date(deprecation.sunset_at).toUTCString(),
  };
}
