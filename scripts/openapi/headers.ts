/**
 * The response headers in the OpenAPI document. `required` means that the header is always present where it is listed.
 */

interface Header {
  description: string;
  required?: true;
  schema: object;
  example: unknown;
}

const integer = (example: number) => ({ schema: { type: "integer" as const, minimum: 0 }, example });
const text = (example: string) => ({ schema: { type: "string" as const }, example });

const headers = {
  "X-Request-Id": {
    description: "The request's id. Include it when you contact us about the request",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "8f14e45f-ceea-467f-a8d2-0d4a3a4a1c11",
  },
  "Cache-Control": {
    description: "Responses must not be cached",
    required: true,
    ...text("private, no-store"),
  },
  "RateLimit-Limit": {
    description: "The number of requests that your workspace can make per minute",
    ...integer(60),
  },
  "RateLimit-Policy": {
    description: "The rate limit and the length of its window in seconds",
    ...text("60;w=60"),
  },
  "RateLimit-Reset": {
    description: "Seconds until the current window ends",
    ...integer(42),
  },
  "Retry-After": { description: "Seconds to wait before you retry", ...integer(42) },
  "X-Should-Retry": {
    description: "Whether the same request may succeed later",
    required: true,
    schema: { type: "boolean" },
    example: false,
  },
  "WWW-Authenticate": {
    description: "The authentication scheme to use (RFC 9110)",
    required: true,
    ...text("Bearer"),
  },
  ETag: {
    description: "The image's SHA-256, in quotes",
    required: true,
    ...text('"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'),
  },
  "Accept-Ranges": { description: "`Range` requests are supported", required: true, ...text("bytes") },
  "Content-Range": {
    description: "The byte range and the image's total size",
    required: true,
    ...text("bytes 0-1023/48211"),
  },
  Allow: { description: "The methods that the path supports", required: true, ...text("GET, POST") },
  Deprecation: {
    description: "When the route was deprecated (RFC 9745); present only once a removal date is set",
    ...text("@1767225600"),
  },
  Sunset: {
    description: "When the route will be removed (RFC 8594); present only once a removal date is set",
    ...text("Tue, 30 Jun 2026 00:00:00 GMT"),
  },
} as const satisfies Record<string, Header>;

type Name = keyof typeof headers;

const component = (name: string) => name.replaceAll("-", "");

export const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [component(name), header]),
);

/** References to header components, for the `headers` of a response. */
export const carries = (...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${component(name)}` }]));

/** The headers of every response. */
export const always = ["X-Request-Id", "Cache-Control"] as const;

/** The headers of every response that the rate limiter counted. */
export const counted = ["RateLimit-Limit", "RateLimit-Policy", "RateLimit-Reset"] as const;
