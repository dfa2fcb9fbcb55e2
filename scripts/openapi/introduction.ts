import { limits } from "../../src/contract/limits.ts";
import { type Scope, scopeCatalogue } from "../../src/contract/scopes.ts";

const scopes = (Object.keys(scopeCatalogue) as Scope[])
  .map((scope) => {
    const { grants, sensitive, grantable } = scopeCatalogue[scope];
    const note = grantable ? (sensitive ? " (sensitive)" : "") : " (reserved: no route honours it yet)";
    return `| \`${scope}\` | ${grants}${note} |`;
  })
  .join("\n");

/** What a partner must know before the first call, in CommonMark. */
export const introduction = `
The API acts for one organization of a workspace for freelancers and agencies: it reads and creates clients, projects,
time entries, draft invoices and deliverables, sends deliverables for review and takes in client messages.
It never issues or sends an invoice and never changes payment state.

## The first call

\`\`\`sh
curl https://HOST/api-v1/clients \\
  -H 'apikey: GATEWAY_PUBLIC_KEY' \\
  -H 'Authorization: Bearer svc_…'
\`\`\`

Every request carries both headers, over HTTPS. The \`apikey\` is the public key of the gateway and the same for all; \
the
token is yours alone: \`svc_\` and 36 lower-case hexadecimal digits, shown once when an admin of the organization \
mints it.
Ask that admin for both. A browser may call the API from any origin.

## Scopes

A token has the scopes that were chosen when it was minted. Each operation names the one it needs; without it the
answer is 403 \`insufficient_scope\`.

| Scope | Grants |
|---|---|
${scopes}

## Writes happen once

Every write under \`/api-v1\` and the ingest route need an \`Idempotency-Key\` (1-${limits.idempotencyKeyCharacters} \
characters). The first success answers 201
(a send: 200). The same request again with the same key does nothing and answers 200 with the first answer's fields and
\`idempotent_replay: true\`. The key with a different request is 409 \`idempotency_key_reused\`. A failed request \
gives its key
back. After a timeout or a 5xx, retry with the same key and body: whatever happened, the work is done once.
Keys are kept for 30 days at least.

Writes are attributed to the admin who minted the token. When that member is no longer an admin, writes answer 409
\`api_actor_unavailable\`: have another admin mint a new token.

With \`?dry_run=true\` a write is judged by the same rules and nothing of it is kept: no record, no event, no e-mail. \
A refusal is
the very answer of the real request; else the answer is 200 with \`dry_run: true\`, \`would_be\` (the status of the \
real one) and the fields
of its answer, whose ids and times are not those of a later request. It counts as one request.

Unknown fields in a v1 body are refused, not ignored, and so is a field that is given twice.

## Lists

Lists are ascending by (\`updated_at\`, \`id\`), those of what never changes (versions, feedback, events) in the order \
in which it was made; ${limits.pageSizeRecords.default} records to a page unless \`limit\` \
says otherwise (1-${limits.pageSizeRecords.max}). Follow \`next_cursor\` with the
same filters until it is null; do not parse it. \`updated_since\` gives what changed at or after a moment, so that \
polling
with the newest \`updated_at\` you have seen misses nothing. A record that changes while you page may come twice.

## Errors

Every error is a JSON object with \`error\`, a text for people. Branch on \`code\` where there is one. Each operation \
lists
its own. \`X-Should-Retry\` says whether the same request may succeed later. Quote the \`X-Request-Id\` header when \
you ask us about an answer.

## Rate limit

A fixed window per organization and minute, shared by all its tokens; the plan sets the ceiling, and \
\`RateLimit-Limit\`,
\`RateLimit-Policy\` and \`RateLimit-Reset\` tell it. Past it the answer is 429: wait \`retry_after_seconds\`, with \
jitter.
A request that was refused with 429 had no other effect.

## Webhooks

An admin registers your HTTPS endpoint and hands you its secret once. Each event is POSTed to it, signed, at least once
and in no promised order: verify the signature over the raw body, deduplicate on \`webhook-id\`, answer 2xx within five
seconds. Of an event that is older than one you processed about the same record, handle what happened (a payment's
\`amount_received\`, a feedback), and keep the newer one's \`status\` and sums. After an outage, read \`GET \
/api-v1/events\` from the last \`latest_cursor\` that you kept. The events stand below under Webhooks.

## Values

Ids are UUIDs. Names that end in \`_at\` are moments in UTC (\`2026-01-31T09:30:00.000Z\`), in \`_date\` calendar days
(\`2026-01-31\`). Money is a decimal number in the currency's own digits (JPY 0, USD 2, KWD 3), never minor units.

## Versions

Breaking changes come only as \`/api-v2\`. Without notice we may add endpoints, optional parameters, response fields and
headers, event types, and values of \`status\` and \`code\`: ignore what you do not know. A deprecated route is marked
here and keeps working; once its removal date is set, its answers carry \`Deprecation\` and \`Sunset\`, at least 90 \
days ahead.

- **1.3.0** Clients and projects by id, versions with their images, the token, the feed of events, filters on every \
list,
  \`X-Should-Retry\`, \`webhook-event-id\`.
- **1.2.0** \`updated_since\` is a true modification delta for projects and clients, too; \`updated_at\` on both;
  the scopes \`project:write\` and \`client:write\`; \`invoice:issue\` is reserved and cannot be granted, tokens that \
hold it
  keep authenticating.
- **1.0.0** The legacy endpoints, the \`api_access\` gate and the window of 60 requests per organization and minute.
`.trim();
