import * as z from "zod";
import { isRecord } from "../../contract/is-record.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";

/** Headers that an admin adds to an endpoint's deliveries (contract W29, W30). Only the names are ever shown. */
export type EndpointHeaders = Readonly<Record<string, string>>;

const { headers: most, headerNameCharacters, headerValueCharacters } = webhookLimits;

/** A `token` as in RFC 9110, 5.6.2. */
const nameForm = new RegExp(`^[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,${headerNameCharacters}}$`);

/** Visible ASCII characters, with spaces only between them. */
const valueForm = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that deliveries set themselves, and headers that control the connection. */
const reservedNames = [
  "user-agent",
  "host",
  "cookie",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
];
const reservedPrefixes = ["webhook-", "x-svc-", "content-", "proxy-"];

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return reservedNames.includes(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** Returns the first problem with the headers. It may repeat a name, but never a value. */
function problemOf(headers: EndpointHeaders): string | undefined {
  const names = Object.keys(headers);
  if (names.length > most) return `must have at most ${most} names`;
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const echo = JSON.stringify(name.slice(0, headerNameCharacters).toWellFormed());
    if (!nameForm.test(name))
      return `has the name ${echo}: a name has 1 to ${headerNameCharacters} letters, digits or !#$%&'*+-.^_\`|~`;
    if (isReserved(name)) return `may not set ${echo}: it is set by deliveries or the connection`;
    if (seen.has(name.toLowerCase())) return `names ${echo} more than once`;
    if (!valueForm.test(value) || value.length > headerValueCharacters)
      return (
        `has a value of ${echo} that can't be sent: it has 1 to ${headerValueCharacters} visible ASCII ` +
        `characters, and spaces only between them`
      );
    seen.add(name.toLowerCase());
  }
  return undefined;
}

const HeadersByName = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const problem = problemOf(headers);
  if (problem) context.addIssue({ code: "custom", path: [], message: `headers ${problem}` });
});

/** Rejects the name `__proto__` first, because z.record drops it. */
export const EndpointHeadersInput = z
  .preprocess((given, context) => {
    if (isRecord(given) && Object.hasOwn(given, "__proto__"))
      context.addIssue({ code: "custom", path: [], message: 'headers may not set "__proto__"' });
    return given;
  }, HeadersByName)
  .meta({
    description: "The headers to send with every delivery, by name. Responses contain only the names",
    example: { "X-Gateway-Key": "k3y" },
  });

/** Encrypts headers for the columns that store them: the names, and all headers encrypted for the endpoint's id. */
export const encryptHeaders = async (keys: string, endpointId: string, headers: EndpointHeaders) => {
  const names = Object.keys(headers).sort();
  return {
    headers: names,
    headers_encrypted: names.length > 0 ? await encrypt(keys, endpointId, JSON.stringify(headers)) : null,
  };
};

export const decryptHeaders = async (
  keys: string,
  endpointId: string,
  sealed: string,
): Promise<EndpointHeaders> => JSON.parse(await decrypt(keys, endpointId, sealed));

/** Parts of a value that are shorter than this, such as its scheme, are not treated as secret. */
const secretPartCharacters = 8;
const mask = "[masked]";

/**
 * Masks header values that a receiver's response repeats: a whole value, a value escaped as JSON, or a part between
 * spaces. `isCut`: the text was truncated, so it may end inside a value.
 */
export function withoutValues(text: string, headers: EndpointHeaders, isCut: boolean): string {
  const secrets = Object.values(headers).flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    ...value.split(" ").filter((part) => part.length >= secretPartCharacters),
  ]);
  // Longest first, because masking a part first would leave the rest of its value unmasked.
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map((secret) => RegExp.escape(secret)).join("|"), "g");
  const masked = text.replace(pattern, mask);
  return (isCut ? withoutBeginning(masked, longestFirst) : masked)
    .slice(0, webhookLimits.answerKeptBytes)
    .toWellFormed();
}

function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = secret.length - 1; length > 0; length -= 1)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask;
  return text;
}
