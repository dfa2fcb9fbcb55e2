import { limits } from "../../src/contract/limits.ts";
import { deliveryAttempts } from "../../src/contract/retry-schedule.ts";
import { type Scope, scopeCatalogue } from "../../src/contract/scopes.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import { placeholders } from "../../src/http/placeholders.ts";

const { origin, apikey, token } = placeholders;

const scopes = (Object.keys(scopeCatalogue) as Scope[])
  .map((scope) => {
    const { grants, sensitive, grantable } = scopeCatalogue[scope];
    const note = grantable ? (sensitive ? " (sensitive)" : "") : " (reserved: cannot be granted yet)";
    return `| \`${scope}\` | ${grants}${note} |`;
  })
  .join("\n");

const number = new Intl.NumberFormat("en-US");
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

const figures: [what: string, value: string][] = [
  ["requests per minute and workspace", "set by the plan; see `RateLimit-Limit` in any response"],
  [
    "records per page",
    `${limits.pageSizeRecords.min}-${limits.pageSizeRecords.max}, ${limits.pageSizeRecords.default} by default`,
  ],
  ["`Idempotency-Key`", `1-${limits.idempotencyKeyCharacters} characters`],
  ["title", `1-${limits.titleCharacters} characters`],
  ["`embed_url`", `an https URL of at most ${number.format(limits.embedUrlCharacters)} characters`],
  ["inline image", `PNG, JPEG, WebP or GIF, at most ${megabytes(limits.imageDecodedBytes)} decoded`],
  ["content of a scope request", `1-${number.format(limits.ingestContentCharacters)} characters`],
  ["request body without an image", `at most ${megabytes(limits.bodyBytes)}`],
  ["versions per deliverable", `at most ${number.format(limits.versionsPerDeliverable)}`],
  ["review e-mails per address and day (UTC)", `at most ${limits.mailsToAddressPerDay}`],
  ["clients in the legacy list", `at most ${limits.legacyClientListRecords}`],
  ["attempts per webhook delivery", `at most ${deliveryAttempts}, each with a timeout of 5 seconds`],
  ["events in the event feed", `the last ${webhookLimits.keptDays} days`],
];

/** The introduction for partners, in CommonMark. Each chapter is a page of the documentation. */
export const introduction = `
The API gives you access to the workspace of a freelancer or an agency. You can read and create clients, projects, time
entries, draft invoices and deliverables, send deliverables for review, and ingest client messages. The API never issues
or sends invoices, and never changes their payment state.

## The first call

\`\`\`sh
curl '${origin}/api-v1/clients' \\
  -H 'apikey: ${apikey}' \\
  -H 'Authorization: Bearer ${token}'
\`\`\`

Every request must use HTTPS and send both headers. The \`apikey\` is the gateway's public key, which is the same for
everyone. The token is your secret: \`svc_\` followed by 36 hexadecimal digits. An admin of the workspace creates the
token, which is shown only once, and gives you the token and the \`apikey\`. Browsers can call the API from any origin.

\`GET /api-v1/token\` returns the token's workspace and its scopes.

## Scopes

An admin chooses a token's scopes when they create the token. Each operation lists the scope that it requires. If the
token does not have this scope, the operation returns 403 \`insufficient_scope\`.

| Scope | Grants |
|---|---|
${scopes}

## Writes happen once

Every write under \`/api-v1\`, and the ingest route, requires an \`Idempotency-Key\` header
(1-${limits.idempotencyKeyCharacters} characters). Use a different key for each piece of work, such as the record's id
in your system, and store the key before you send the request.

| you send | you get |
|---|---|
| a new key | 201, or 200 for a send; the write is performed |
| the same key and the same request | 200 with the original response plus \
\`idempotent_replay: true\`; the write is not repeated |
| the same key and a different request | 409 \`idempotency_key_reused\` |
| the same key after an error | the request is processed again, because an error does not use up the key |

After a timeout or a 5xx, retry with the same key and body. The write is never performed twice. Keys are kept for at
least 30 days.

Writes are attributed to the admin who created the token. If that person is no longer an admin, writes return 409
\`api_actor_unavailable\`. Ask another admin to create a new token.

To test a write, add \`?dry_run=true\`. The request is validated by the same rules, but no record is saved, no event is
created and no e-mail is sent. If the real request would fail, the dry run returns the same error. Otherwise, it returns
200 with \`dry_run: true\`, \`would_be\` (the status of the real request) and the fields that the real request would
return, with different ids and times. A dry run counts as one request.

The v1 routes reject bodies with unknown or duplicate fields.

## Lists

Lists are sorted by (\`updated_at\`, \`id\`), ascending. Versions, feedback and events never change, so their lists are
in creation order. A page has at most ${limits.pageSizeRecords.default} records, unless you set \`limit\`
(1-${limits.pageSizeRecords.max}).

- Follow \`next_cursor\` with the same filters until it is null. Do not parse the cursor. A page may have fewer records
  than \`limit\`, or none at all, and still have a \`next_cursor\`.
- \`updated_since\` returns records that changed at or after the given time. When you poll, start ten seconds before the
  newest \`updated_at\` that you stored, because the clock of our database may be set back. The event feed does not
  depend on a clock.
- If a record changes while you page through a list, the record may appear twice.

## Errors

Every error is a JSON object with \`error\`, a human-readable message. Branch on \`code\` if it is present, never on the
message. \`X-Should-Retry\` tells you whether the same request may succeed later. When you contact us about a response,
include its \`X-Request-Id\` header.

With \`Accept: application/problem+json\`, errors are returned as problem details (RFC 9457). The \`errors\` array of a
400 then lists every problem with the request, and suggests names for unknown fields.

## Limits

All tokens of a workspace share one rate limit, which depends on the plan and is counted in fixed one-minute windows.
Every response has the headers \`RateLimit-Limit\`, \`RateLimit-Policy\` and \`RateLimit-Reset\`. A request over the
limit returns 429 and has no other effect. Before you retry, wait \`retry_after_seconds\` plus jitter.

| Limit | Value |
|---|---|
${figures.map(([what, value]) => `| ${what} | ${value} |`).join("\n")}

## Webhooks

An admin registers your HTTPS endpoint and gives you its secret, which is shown only once. We sign each event and POST
it to the endpoint at least once, in no guaranteed order. Verify the signature against the raw body, deduplicate by
\`webhook-id\`, and respond with 2xx within five seconds. If you have already processed a newer event for the same
record, still process what the older event reports (a payment's \`amount_received\`, a comment), but keep the newer
event's \`status\` and amounts. After an outage, read the events that you missed with \`GET /api-v1/events\`, starting
from the last \`latest_cursor\` that you stored.

## Values

Ids are UUIDs. Fields that end in \`_at\` are timestamps in UTC (\`2026-01-31T09:30:00.000Z\`), and fields that end in
\`_date\` are calendar days (\`2026-01-31\`). Amounts of money are decimal numbers in major units, with as many decimal
places as the currency has (JPY 0, USD 2, KWD 3). \`currency\` is an ISO 4217 code.

## Versions

Breaking changes are released only under \`/api-v2\`. New endpoints, optional parameters, response fields and headers,
event types, and values of \`status\` and \`code\` may be added without notice, so ignore any that you don't know.
Deprecated routes are marked in this document and keep working. Once a removal date is set, at least 90 days ahead, the
route's responses have the headers \`Deprecation\` and \`Sunset\`.

- **1.3.0** adds reads of single clients and projects, versions with their images, the token, the event feed, filters on
  every list, \`X-Should-Retry\` and \`webhook-event-id\`.
- **1.2.0** adds \`updated_at\` to projects and clients, so that \`updated_since\` returns every change to them, and the
  scopes \`project:write\` and \`client:write\`. \`invoice:issue\` is reserved and can no longer be granted, but keeps
  working for tokens that have it.
- **1.0.0** has the legacy endpoints, API access by plan (\`api_access\`), and 60 requests per workspace and minute.
`.trim();
