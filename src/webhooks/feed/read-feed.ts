import { and, asc, eq, isNotNull, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { EventCategory } from "../../core/events/event.ts";
import { events } from "../../core/events/tables.ts";
import { build, type Placeholders, prepared, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { grantedBy, organizationOf } from "../../workspace/tokens/organization-of.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import type { Event } from "./event.ts";
import { type EventSelection, feedScopes, scopeOfCategory } from "./event-selection.ts";
import { type FeedPosition, idStartDigits, positionOfEvent } from "./feed-position.ts";

/** Where a page of the feed starts, and its filters. */
export interface EventPage {
  tokenHash: string;
  after: FeedPosition;
  limit: number;
  since?: string | undefined;
  subjectId?: string | undefined;
}

/** An event with its number in commit order. */
type FedEvent = Event & { sequence: number };

const selection = {
  sequence: events.sequence,
  id: events.id,
  event: events.event,
  category: events.category,
  created_at: events.created_at,
  subject_id: events.subject_id,
  payload: events.payload,
};

/** The organization of a token that can read every event. NULL for other tokens, so that their query reads nothing. */
const organizationIfUnrestricted = (tokenHash: Placeholder) => {
  const granted = feedScopes.map((scope) => grantedBy(tokenHash, scope));
  return sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${and(...granted)})`;
};

const organizationOfToken = (tokenHash: Placeholder) =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${eq(apiTokens.token_hash, tokenHash)})`;

/**
 * The number of the organization's first event since a time. Within an organization, numbers ascend with time. Across
 * organizations they do not, because imported events get new numbers.
 */
const firstSince = (tokenHash: Placeholder, since: Placeholder) => {
  const { organization_id, created_at, sequence } = events;
  return sql`(SELECT ${sequence} FROM ${events}
    WHERE ${eq(organization_id, organizationOfToken(tokenHash))} AND ${created_at} >= ${since}
    ORDER BY ${created_at}, ${sequence} LIMIT 1)`;
};

/** A category, or one name in it. */
interface Kind {
  category: EventCategory;
  name?: string;
}

const kindsOf = (selected: readonly EventSelection[]): Kind[] =>
  selected.flatMap(({ category, names }): Kind[] =>
    names === "all" ? [{ category }] : names.map((name) => ({ category, name })),
  );

const isKind = ({ category, name }: Kind): SQL =>
  name === undefined ? eq(events.category, category) : eq(events.event, name);

/** The values that a page's statement binds. */
type BoundPage = Required<Omit<EventPage, "after">> & { after: number } & Omit<FeedPosition, "sequence">;

/** Clients use few selections, but the same names in a different order count as a different selection. */
const maxKeptPages = 200;
const pages = new BoundedMap<(page: BoundPage) => Query<Record<string, unknown>[]>>(maxKeptPages);

/** The events found after a position. */
export interface FoundEvents {
  events: FedEvent[];
  /** Where to continue; null for after the page's last event, or where the page started if it has no events. */
  place: FeedPosition | null;
  /** Whether the page ended before all events were scanned. */
  endsEarly: boolean;
}

/**
 * Finds the selected events after a position. Without a selection, finds all events, provided that the token can read
 * them all.
 */
export function feedPage(page: EventPage, selected?: readonly EventSelection[]): Query<FoundEvents> {
  const key = JSON.stringify([selected ?? null, page.since !== undefined, page.subjectId !== undefined]);
  const find = pages.get(key) ?? makePage(page, selected);
  pages.set(key, find);
  const { sequence: after, ...named } = page.after;
  const bound = { ...page, after, ...named, since: page.since ?? "", subjectId: page.subjectId ?? "" };
  return mapped(find(bound), (found) => {
    const end = found.find(({ payload }) => payload === null);
    return {
      events: found.filter(({ payload }) => payload !== null).map((event) => toEvent(event as RawEvent)),
      place: end ? positionOfEvent(end as Pick<RawEvent, "sequence" | "id" | "created_at">) : null,
      endsEarly: end !== undefined && end.event !== null,
    };
  });
}

type RawEvent = Omit<FedEvent, "data"> & { payload: string };

const toEvent = ({ payload, ...event }: RawEvent): FedEvent => ({ ...event, data: JSON.parse(payload).data });

/**
 * Without a selection, a page reads only the events that it returns. If it covers all records and is not full, it ends
 * with a row without a payload, which has the position to continue from.
 */
const makePage = (page: EventPage, selected: readonly EventSelection[] | undefined) =>
  prepared((bind: Placeholders<BoundPage>) => {
    if (selected) return searchedPage(page, bind, kindsOf(selected));
    const ofToken = eq(events.organization_id, organizationIfUnrestricted(bind.tokenHash));
    const found = build
      .select(selection)
      .from(events)
      .where(and(ofToken, isNotNull(events.category), ...placeOf(page, bind)))
      .orderBy(asc(events.sequence))
      .limit(bind.limit);
    const end = page.subjectId === undefined ? sql`UNION ALL ${endOfPage(bind)}` : undefined;
    return rows(selection, sql`SELECT * FROM (${found}) ${end} LIMIT ${bind.limit}`);
  });

/**
 * Searches `limits.scannedRecords` events for names and categories. An index would cost one more row per event, and a
 * reader that keeps its position has few new events. If there are more, the page ends early with a row that has the
 * position, and 'early' as the event's name.
 */
function searchedPage(page: EventPage, bind: Placeholders<BoundPage>, kinds: readonly Kind[]) {
  const ofToken = eq(events.organization_id, organizationOfToken(bind.tokenHash));
  const ofPage = and(ofToken, ...placeOf(page, bind));
  const inOrder = sql`FROM ${events} WHERE ${ofPage} ORDER BY ${events.sequence}`;
  const scanned = sql.raw(String(limits.scannedRecords));
  const wanted = kinds.map((kind) =>
    and(
      eq(events.organization_id, organizationOf(bind.tokenHash, scopeOfCategory[kind.category])),
      isKind(kind),
    ),
  );
  const columns = sql.join(Object.values(selection), sql`, `);
  const found = sql`SELECT ${columns} FROM (SELECT * ${inOrder} LIMIT ${scanned}) AS ${events} WHERE ${or(...wanted)}`;
  return rows(
    selection,
    sql`SELECT * FROM (${found} LIMIT ${bind.limit}) UNION ALL ${endOfPage(bind, sql`${inOrder} LIMIT 1 OFFSET ${scanned} - 1`)} LIMIT ${bind.limit}`,
  );
}

/**
 * The number after which a page starts. An event that was renumbered by an import is found by its time and id. If the
 * event no longer exists, the page continues from its time, because after a restore, later events reuse the numbers.
 */
const startOf = ({ tokenHash, after, at, idStart }: Placeholders<BoundPage>): SQL => {
  const { sequence, organization_id, created_at, id } = events;
  const hasStart = sql`substr(${id}, 1, ${sql.raw(String(idStartDigits))}) = ${idStart}`;
  return sql`iif(${at} = '', ${after}, coalesce(
    (SELECT ${sequence} FROM ${events}
      WHERE ${sequence} = ${after} AND ${created_at} = ${at} AND (${idStart} = '' OR ${hasStart})),
    (SELECT ${sequence} FROM ${events}
      WHERE ${organization_id} = ${organizationOfToken(tokenHash)} AND ${created_at} = ${at} AND ${hasStart}
      ORDER BY ${sequence} LIMIT 1),
    ${firstSince(tokenHash, at)} - 1,
    (SELECT max(${sequence}) FROM ${events}), 0))`;
};

/** Conditions for where a page starts and which record its events are about. */
const placeOf = ({ since, subjectId }: EventPage, bind: Placeholders<BoundPage>) => [
  sql`${events.sequence} > ${startOf(bind)}`,
  since === undefined
    ? undefined
    : sql`${events.sequence} >= coalesce(${firstSince(bind.tokenHash, bind.since)}, 9e18)
        AND ${events.created_at} >= ${bind.since}`,
  subjectId === undefined ? undefined : sql`${events.subject_id} = ${bind.subjectId}`,
];

/** A page's last row: the event at which it ended early, or else the workspace's newest event. */
const endOfPage = ({ tokenHash }: Placeholders<BoundPage>, early?: SQL) => {
  const { sequence, id, created_at, organization_id } = events;
  const newest = sql`SELECT ${sequence}, ${id}, NULL, NULL, ${created_at}, NULL, NULL
    FROM ${events} WHERE ${organization_id} = ${organizationOfToken(tokenHash)} ORDER BY ${sequence} DESC LIMIT 1`;
  const ended = early && sql`SELECT ${sequence}, ${id}, 'early', NULL, ${created_at}, NULL, NULL ${early}`;
  return ended
    ? sql`SELECT * FROM (SELECT * FROM (${ended}) UNION ALL SELECT * FROM (${newest}) LIMIT 1)`
    : sql`SELECT * FROM (${newest})`;
};
