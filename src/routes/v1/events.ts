import * as z from "zod";
import { idInput } from "../../contract/fields.ts";
import { Refusal } from "../../contract/refusal.ts";
import { waitLimits } from "../../contract/wait-limits.ts";
import { mapped, noQuery, type Query, run } from "../../db/query.ts";
import {
  CreationParameters,
  cursorAt,
  cursorFits,
  invalidCursor,
  ListPage,
  positionIn,
} from "../../http/pagination.ts";
import { read } from "../../http/read.ts";
import type { ReadRequest } from "../../http/route.ts";
import { hideNumbers, revealNumbers } from "../../platform/hidden-numbers.ts";
import { Event } from "../../webhooks/feed/event.ts";
import { feedScopes, scopesNeededBy, selectionOf, visibleTo } from "../../webhooks/feed/event-selection.ts";
import {
  type FeedPosition,
  feedStart,
  numbersOf,
  positionFrom,
  positionOfEvent,
} from "../../webhooks/feed/feed-position.ts";
import { type EventPage, type FoundEvents, feedPage } from "../../webhooks/feed/read-feed.ts";

const example: Event = {
  id: "8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b",
  event: "deliverable.sent",
  category: "delivery",
  created_at: "2026-01-31T09:30:00.000Z",
  subject_id: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
  data: {
    deliverable_id: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
    title: "Homepage",
    version_number: 2,
    review_state: "in_review",
  },
};

const path = "/api-v1/events";
const cursor = "M2lSVnRZd2RqNlhCZ1Q1bkhvYzl1QQ.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM";

const waitText = `wait must be an integer from ${waitLimits.seconds.min} to ${waitLimits.seconds.max}`;

const Parameters = CreationParameters.extend({
  cursor: z
    .string()
    .optional()
    .meta({
      description:
        "The `latest_cursor` that you stored, or the previous page's `next_cursor`. Repeat the same filters, " +
        "and do not parse the cursor",
      example: cursor,
    }),
  types: z
    .string()
    .refine((types) => selectionOf(types) !== null, "types must be event names or categories")
    .optional()
    .meta({
      description: "Event names and categories, separated by commas",
      example: "money,signoff.recorded",
    }),
  subject_id: idInput.optional().meta({ description: "Only events about this record" }),
  wait: z
    .string()
    .regex(/^\d{1,2}$/, waitText)
    .transform(Number)
    .refine((seconds) => seconds <= waitLimits.seconds.max, waitText)
    .default(waitLimits.seconds.min)
    .meta({
      override: {
        type: "integer",
        pattern: undefined,
        minimum: waitLimits.seconds.min,
        maximum: waitLimits.seconds.max,
        default: waitLimits.seconds.min,
      },
      description: "How many seconds to wait for an event if the page would be empty",
      example: waitLimits.seconds.max,
    }),
});
type Parameters = z.output<typeof Parameters>;

/**
 * Reads the position from a cursor. Returns null if the cursor is invalid. Cursors are encrypted, because the number in
 * them counts the events of all organizations. Older cursors contain no id, and some of them contain only the number,
 * in plain text.
 */
function placeIn(cursor: string, cursorKeys: readonly string[]): FeedPosition | null {
  const position = positionIn(cursor) ?? "";
  if (/^\d{1,15}$/.test(position)) return { ...feedStart, sequence: Number(position) };
  const numbers = revealNumbers(cursorKeys, position);
  return numbers && positionFrom(...numbers);
}

const cursorOf = (place: FeedPosition, [newest = ""]: readonly string[]): string =>
  hideNumbers(newest, ...numbersOf(place));

/** Returns where a page starts; null if the cursor is invalid. */
function pageAsked({ tokenHash, query, services }: ReadRequest<unknown, Parameters>): EventPage | null {
  const after = query.cursor === undefined ? feedStart : placeIn(query.cursor, services.cursorKeys);
  if (after === null) return null;
  return {
    tokenHash,
    after,
    limit: query.limit + 1,
    since: query.updated_since,
    subjectId: query.subject_id,
  };
}

export const listEvents = read({
  path,
  operationId: "listEvents",
  tag: "Events",
  summary: "List events in commit order",
  description:
    "Includes every event of the last 30 days, whether or not an endpoint subscribes to it. To get each event " +
    "exactly once, store `latest_cursor` and pass it as `cursor` in the next request. With `types`, a page may " +
    "have fewer events than `limit`, or none, so follow `next_cursor` until it is null. Without `types`, you " +
    "get every event that the token's scopes allow. A type that the scopes do not allow returns 403 " +
    "`insufficient_scope`. With `wait`, a request that would return an empty page waits up to that many " +
    `seconds for an event. At most ${waitLimits.requestsOfToken} of a token's requests can wait at a time; ` +
    "any more return 429.",
  scope: null,
  furtherScopes: feedScopes,
  neededScopes: (query) => scopesNeededBy(query.get("types") ?? undefined),
  query: Parameters,
  answer: ListPage(Event, {
    latest_cursor: z
      .string()
      .meta({ description: "The cursor for the next request; never null", example: cursor }),
  }),
  answerDescription: "One page",
  examples: { answer: { data: [example], next_cursor: null, latest_cursor: cursor } },
  load(request) {
    const page = pageAsked(request);
    return page ? feedPage(page, selectedBy(request.query)) : invalidCursor();
  },
  async present(loaded, request, { principal: { organizationId, scopes }, wait }) {
    const { services } = request;
    const { wait: seconds, ...query } = request.query;
    const list = { route: path, organizationId, cursorKeys: services.cursorKeys };
    const page = pageAsked(request);
    if (!page || !cursorFits(list, query)) return invalidCursor();
    const seesAll = query.types !== undefined || feedScopes.every((scope) => scopes.includes(scope));
    const first = seesAll ? loaded : await visibleEvents(services.db, page, scopes);
    const found = await wait({
      first,
      seconds,
      isOver: ({ events, endsEarly }) => events.length > 0 || endsEarly,
      look({ place }) {
        const next = { ...page, after: place ?? page.after };
        return seesAll ? feedPage(next, selectedBy(query)) : visiblePage(next, scopes);
      },
    });
    if (found instanceof Refusal) return found;
    const { events, place, endsEarly } = found;
    const data = events.slice(0, query.limit);
    const last = data.at(-1);
    // A page that is not full ends where the search ended, or at the newest event.
    const latest = place ?? (last ? positionOfEvent(last) : page.after);
    const latest_cursor = cursorAt(list, query, cursorOf(latest, services.cursorKeys));
    const next_cursor = endsEarly || events.length > data.length ? latest_cursor : null;
    return { data: data.map(({ sequence: _, ...event }) => event), next_cursor, latest_cursor };
  },
});

const selectedBy = ({ types }: Pick<Parameters, "types">) =>
  types === undefined ? undefined : (selectionOf(types) ?? undefined);

const noEvents: FoundEvents = { events: [], place: null, endsEarly: false };

/** Finds the events for a token that may see only some categories. */
function visiblePage(page: EventPage, scopes: readonly string[]): Query<FoundEvents> {
  const visible = visibleTo(scopes);
  return visible.length === 0 ? mapped(noQuery, () => noEvents) : feedPage(page, visible);
}

/** Reads the events in an extra round trip, because the token's categories were not known before. */
const visibleEvents = async (
  db: D1Database,
  page: EventPage,
  scopes: readonly string[],
): Promise<FoundEvents> => (visibleTo(scopes).length === 0 ? noEvents : run(db, visiblePage(page, scopes)));
