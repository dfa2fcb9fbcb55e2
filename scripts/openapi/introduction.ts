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
  ["requests per minute of a workspace", "set by the plan; see `RateLimit-Limit` on any response"],
  [
    "records per page",
    `${limits.pageSizeRecords.min}-${limits.pageSizeRecords.max}, ${limits.pageSizeRecords.default} by default`,
  ],
  ["`Idempotency-Key`", `1-${limits.idempotencyKeyCharacters} characters`],
  ["a title", `1-${limits.titleCharacters} characters`],
  ["`embed_url`", `https, at most ${number.format(limits.embedUrlCharacters)} characters`],
  ["an inline image", `PNG, JPEG, WebP or GIF, at most ${megabytes(limits.imageDecodedBytes)} decoded`],
  ["the content of a scope request", `1-${number.format(limits.ingestContentCharacters)} characters`],
  ["a request body without an image", megabytes(limits.bodyBytes)],
  ["versions per deliverable", number.format(limits.versionsPerDeliverable)],
  ["review e-mails to one address per day (UTC)", String(limits.mailsToAddressPerDay)],
  ["clients in the legacy list", String(limits.legacyClientListRecords)],
  ["attempts per webhook delivery", `${deliveryAttempts}, each with a timeout of 5 seconds`],
  ["events in the feed", `the last ${webhookLimits.keptDays} days`],
];

/** The introduction for partners, in CommonMark. Each chapter is a page of the documentation. */
export const introduction = `
The API gives you access to one workspace, which belongs to a freelancer or an agency. You can read and create clients,
projects, time entries, draft invoices and deliverables, send deliverables for review, and ingest client messages. The
API never issues or sends invoices, and never changes payment state.

## The first call

\`\`\`sh
curl '${origin}/api-v1/clients' \\
  -H 'apikey: ${apikey}' \\
  -H 'Authorization: Bearer ${token}'
\`\`\`

Every request must use HTTPS and send both headers. The \`apikey\` is the gateway's public key, which is the same for
everyone. The token is yours: \`svc_\` followed by 36 hexadecimal digits. It is shown only once, when an admin of the
workspace creates it. Ask the admin for both. Browsers can call the API from any origin.

\`GET /api-v1/token\` returns the token's workspace and its scopes.

## Scopes

A token's scopes are chosen when it is created. Each operation names the scope that it requires, and returns 403
\`insufficient_scope\` if the token lacks it.

| Scope | Grants |
|---|---|
${scopes}

## Writes happen once

Every write under \`/api-v1\` requires an \`Idempotency-Key\` (1-${limits.idempotencyKeyCharacters} characters), and so
does the ingest route. Use a different key for each piece of work, such as the id of the record in your system, and
store the key before you send the request.

| you send | you get |
|---|---|
| a new key | 201, or 200 for a send: the work is done |
| the same key and the same request | 200 with the original response plus \
\`idempotent_replay: true\`; no work is repeated |
| the same key and a different request | 409 \`idempotency_key_reused\` |
| the same key after an error | the request is processed again, because an error does not use up the key |

After a timeout or a 5xx, retry with the same key and body: the work is never done twice. Keys are kept for at least 30
days.

Writes are attributed to the admin who created the token. If that person is no longer an admin, writes return 409
\`api_actor_unavailable\`. Ask another admin to create a new token.

A write with \`?dry_run=true\` is checked by the same rules, but does not save a record, create an event or send an
e-mail. If the real request would fail, the dry run fails with the same error. Otherwise it returns 200 with
\`dry_run: true\`, \`would_be\` (the status of the real request) and the fields that the real request would return; ids
and times will differ. A dry run counts as one request.

The v1 routes reject a body with an unknown field, or with the same field twice.

## Lists

Lists are sorted by (\`updated_at\`, \`id\`), ascending. Lists of records that never change (versions, feedback,
events) are in creation order. A page has at most ${limits.pageSizeRecords.default} records, unless you set \`limit\`
(1-${limits.pageSizeRecords.max}).

- Follow \`next_cursor\` with the same filters until it is null. Do not parse it. A page may have fewer records than
  \`limit\`, or none at all, and still have a \`next_cursor\`.
- \`updated_since\` returns records that changed at or after the given time. When you poll, start ten seconds before the
  newest \`updated_at\` that you have seen, because the database's clock may be set back. The event feed does not depend
  on a clock.
- A record that changes while you page through a list may appear twice.

## Errors

Every error is a JSON object with \`error\`, a message for people. Branch on \`code\` if there is one, never on the
message. \`X-Should-Retry\` tells you whether the same request may succeed later. Quote the \`X-Request-Id\` header
when you contact us about a response.

With \`Accept: application/problem+json\`, errors are returned as problem details (RFC 9457). The \`errors\` array of a
400 then lists every problem, and suggests a name for each unknown field.

## Limits

All tokens of a workspace share one rate limit, which is counted in fixed one-minute windows. The limit depends on the
plan. Every response reports it in \`RateLimit-Limit\`, \`RateLimit-Policy\` and \`RateLimit-Reset\`. A request over the
limit returns 429 and has no other effect. Wait \`retry_after_seconds\`, plus jitter, before you retry.

| Limit | Value |
|---|---|
${figures.map(([what, value]) => `| ${what} | ${value} |`).join("\n")}

## Webhooks

An admin registers your HTTPS endpoint and gives you its secret, which is shown only once. Each event is signed and
POSTed to the endpoint at least once; the order is not guaranteed. Verify the signature over the raw body, deduplicate
on \`webhook-id\`, and respond with 2xx within five seconds. If an event is older than one you have processed for
the same record, still handle what happened (a payment's \`amount_received\`, a comment), but keep the newer event's
\`status\` and amounts. After an outage, catch up with \`GET /api-v1/events\`, starting from the last \`latest_cursor\`
that you stored.

## Values

Ids are UUIDs. Fields that end in \`_at\` are timestamps in UTC (\`2026-01-31T09:30:00.000Z\`), and fields that end in
\`_date\` are calendar days (\`2026-01-31\`). Money is a decimal number in major units, with as many
decimal places as the currency has (JPY 0, USD 2, KWD 3). \`currency\` is an ISO 4217 code.

## Versions

Breaking changes are released only under \`/api-v2\`. Endpoints, optional parameters, response fields and headers, event
types, and values of \`status\` and \`code\` may be added without notice, so ignore values that you do not know. A
deprecated route is marked here and keeps working. Once its removal date is set, at least 90 days ahead, its responses
have the headers \`Deprecation\` and \`Sunset\`.

- **1.3.0** Clients and projects by id, versions with their images, the token, the event feed, filters on every
  list, \`X-Should-Retry\`, \`webhook-event-id\`.
- **1.2.0** \`updated_since\` returns every change to projects and clients; both have \`updated_at\`. The scopes
  \`project:write\` and \`client:write\`. \`invoice:issue\` is reserved and cannot be granted; tokens that have it keep
  working.
- **1.0.0** The legacy endpoints, API access by plan (\`api_access\`), and 60 requests per workspace and minute.
`.trim();
