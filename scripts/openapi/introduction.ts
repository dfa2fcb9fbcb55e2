import { limits } from "../../src/contract/limits.ts";
import { deliveryAttempts } from "../../src/contract/retry-words.ts";
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
  ["requests of a workspace in a minute", "by plan; `RateLimit-Limit` on every answer says it"],
  [
    "records on a page of a list",
    `${limits.pageSizeRecords.min}-${limits.pageSizeRecords.max}, by default ${limits.pageSizeRecords.default}`,
  ],
  ["`Idempotency-Key`", `1-${limits.idempotencyKeyCharacters} characters`],
  ["a title", `1-${limits.titleCharacters} characters`],
  ["`embed_url`", `https, at most ${number.format(limits.embedUrlCharacters)} characters`],
  ["an inline image", `PNG, JPEG, WebP or GIF, at most ${megabytes(limits.imageDecodedBytes)} decoded`],
  ["the content of a scope request", `1-${number.format(limits.ingestContentCharacters)} characters`],
  ["a body without an image", megabytes(limits.bodyBytes)],
  ["versions of a deliverable", number.format(limits.versionsPerDeliverable)],
  ["review e-mails to one address in a day (UTC)", String(limits.mailsToAddressPerDay)],
  ["clients in the legacy list", String(limits.legacyClientListRecords)],
  ["attempts of a webhook delivery", `${deliveryAttempts}, each with 5 seconds to answer`],
  ["events in the feed", `those of the last ${webhookLimits.keptDays} days`],
];

/** What a partner must know before the first call, in CommonMark; each chapter is a page of the documentation. */
export const introduction = `
The API acts for one workspace of freelancers or an agency. It reads and creates clients, projects, time entries, draft
invoices and deliverables, sends deliverables for review, and takes in client messages. It never issues or sends an
invoice and never changes payment state.

## The first call

\`\`\`sh
curl '${origin}/api-v1/clients' \\
  -H 'apikey: ${apikey}' \\
  -H 'Authorization: Bearer ${token}'
\`\`\`

Every request carries both headers, over HTTPS. The \`apikey\` is the public key of the gateway, the same for everyone.
The token is yours: \`svc_\` and 36 hexadecimal digits, shown once when an admin of the workspace creates it. Ask that
admin for both. A browser may call the API from any origin.

\`GET /api-v1/token\` says which workspace a token belongs to and what it may do.

## Scopes

A token has the scopes that were chosen when it was created. Each operation names the one it needs; without it the
answer is 403 \`insufficient_scope\`.

| Scope | Grants |
|---|---|
${scopes}

## Writes happen once

Every write under \`/api-v1\` and the ingest route need an \`Idempotency-Key\` (1-${limits.idempotencyKeyCharacters} \
characters). Give each piece of work
its own key, such as the id of the record in your system, and store the key before you send the request.

| you send | you get |
|---|---|
| a new key | 201 (a send: 200): the work is done |
| the same key and the same request | 200 with the first answer's fields and \
\`idempotent_replay: true\`: nothing is done again |
| the same key and another request | 409 \`idempotency_key_reused\` |
| the same key after an error | the request is tried again: an error gives its key back |

After a timeout or a 5xx, retry with the same key and body: whatever happened, the work is done once. Keys are kept for
at least 30 days.

Writes are attributed to the admin who created the token. When that person is no longer an admin, writes answer 409
\`api_actor_unavailable\`: have another admin create a new token.

With \`?dry_run=true\` a write is judged by the same rules, and nothing is kept: no record, no event, no e-mail. A
refusal is that of the real request. Otherwise the answer is 200 with \`dry_run: true\`, \`would_be\` (the real
request's status) and the fields of its answer; ids and times differ from a later request's. It counts as one request.

Unknown fields in a v1 body are refused, not ignored, and so is a field that is given twice.

## Lists

Lists are ascending by (\`updated_at\`, \`id\`). Lists of what never changes (versions, feedback, events) are \
in the order
of creation. A page has ${limits.pageSizeRecords.default} records unless \`limit\` says otherwise \
(1-${limits.pageSizeRecords.max}).

- Follow \`next_cursor\` with the same filters until it is null. Do not parse it. A page may have fewer records than
  \`limit\`, even none, and still have a \`next_cursor\`.
- \`updated_since\` returns what changed at or after a moment. Poll from ten seconds before the newest \`updated_at\` you
  have seen: the database's clock may be set back. The order of the event feed does not depend on a clock.
- A record that changes while you page may come twice.

## Errors

Every error is a JSON object with \`error\`, a text for people. Branch on \`code\` where there is one, never on \
the text.
\`X-Should-Retry\` says whether the same request may succeed later. Quote the \`X-Request-Id\` header when you \
ask us about
an answer.

With \`Accept: application/problem+json\` an error is problem details (RFC 9457). A 400 then lists in \`errors\`
everything that is wrong, and suggests a name for an unknown field.

## Limits

The rate limit is a fixed window per workspace and minute, shared by all its tokens. The plan sets the ceiling;
\`RateLimit-Limit\`, \`RateLimit-Policy\` and \`RateLimit-Reset\` tell it. Over it the answer is 429: wait
\`retry_after_seconds\`, with jitter. A request that was refused with 429 had no other effect.

| Limit | Value |
|---|---|
${figures.map(([what, value]) => `| ${what} | ${value} |`).join("\n")}

## Webhooks

An admin registers your HTTPS endpoint and gives you its secret, which is shown once. Each event is POSTed to it,
signed, at least once and in no promised order: verify the signature over the raw body, deduplicate on \
\`webhook-id\`, and
answer 2xx within five seconds. If an event is older than one you processed about the same record, handle what happened
(a payment's \`amount_received\`, a comment), but keep the newer event's \`status\` and sums. After an outage, read
\`GET /api-v1/events\` from the last \`latest_cursor\` that you stored.

## Values

Ids are UUIDs. Names that end in \`_at\` are moments in UTC (\`2026-01-31T09:30:00.000Z\`), in \`_date\` calendar days
(\`2026-01-31\`). Money is a decimal number in the currency's own digits (JPY 0, USD 2, KWD 3), never minor units.
\`currency\` is an ISO 4217 code.

## Versions

Breaking changes come only as \`/api-v2\`. Endpoints, optional parameters, response fields and headers, event types, and
values of \`status\` and \`code\` may be added without notice: ignore what you do not know. A deprecated route is marked
here and keeps working. Once its removal date is set, its answers carry \`Deprecation\` and \`Sunset\`, at least 90 days
ahead.

- **1.3.0** Clients and projects by id, versions with their images, the token, the feed of events, filters on every
  list, \`X-Should-Retry\`, \`webhook-event-id\`.
- **1.2.0** \`updated_since\` returns every change to projects and clients; both have \`updated_at\`. The scopes
  \`project:write\` and \`client:write\`. \`invoice:issue\` is reserved and cannot be granted; tokens that have it keep
  working.
- **1.0.0** The legacy endpoints, the \`api_access\` gate and 60 requests per workspace and minute.
`.trim();
