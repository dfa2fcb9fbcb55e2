import { and, eq, isNotNull, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, type Placeholders, prepared, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { remember } from "../../platform/remember.ts";
import type { EventCategory } from "../../workspace/events/event.ts";
import { events } from "../../workspace/events/tables.ts";
import { grantedBy, organizationOf } from "../../workspace/tokens/organization-of.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import type { Event } from "./event.ts";
import { type EventSelection, feedScopes, scopeOfCategory } from "./event-selection.ts";

/** Where a page of the feed starts, and what it is filtered by. */
export interface EventPage {
  tokenHash: string;
  /** The sequence of the last event that was seen; 0: none. */
  after: number;
  limit: number;
  since?: string | undefined;
  subjectId?: string | undefined;
}

/** An event with its place in the order of commit. */
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

/** The organization of a token that may see every event. Other tokens match none, so that their query reads nothing. */
const organizationOfAllSeeing = (tokenHash: Placeholder) => {
  const granted = feedScopes.map((scope) => grantedBy(tokenHash, scope));
  return sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${and(...granted)})`;
};

/**
 * The first event since a time. Events are numbered in the order of time, so no earlier number was made since then.
 * Only the number leaves the statement.
 */
const firstSince = (since: Placeholder) =>
  sql`coalesce((SELECT ${events.sequence} FROM ${events} WHERE ${events.created_at} >= ${since}
    ORDER BY ${events.created_at} LIMIT 1), 9e18)`;

/** What one index finds: a category, or one name in it. */
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

const pages = new Map<string, (page: Required<EventPage>) => Query<Record<string, unknown>[]>>();

/** The events found after a position. */
export interface FoundEvents {
  events: FedEvent[];
  /** The place to go on from; 0 if the page is full, because nobody needs it then. */
  place: number;
  /** The page ended before it had looked at all events. */
  endsEarly: boolean;
}

/** Selected events after a position; without a selection all, for a token that may see them all. */
export function feedPage(page: EventPage, selected?: readonly EventSelection[]): Query<FoundEvents> {
  const key = JSON.stringify([selected ?? null, page.since !== undefined, page.subjectId !== undefined]);
  const find = pages.get(key) ?? makePage(page, selected);
  remember(pages, key, find, maxKeptPages);
  return mapped(find({ ...page, since: page.since ?? "", subjectId: page.subjectId ?? "" }), (found) => {
    const end = found.find(({ id }) => id === null);
    return {
      events: found.filter(({ id }) => id !== null).map((event) => toEvent(event as RawEvent)),
      place: Number(end?.sequence ?? 0),
      endsEarly: end !== undefined && end.event !== null,
    };
  });
}

/** Clients use few selections, but the same names in another order are another selection. */
const maxKeptPages = 200;

type RawEvent = Omit<FedEvent, "data"> & { payload: string };

const toEvent = ({ payload, ...event }: RawEvent): FedEvent => ({ ...event, data: JSON.parse(payload).data });

/** D1 takes as many terms of a compound SELECT. */
const maxBranches = 5;

/**
 * SQLite merges the branches by sequence, one for each kind of events. It reads from each what the page takes, and one
 * more. A page that is not full ends with a row that holds only the place to ask from again.
 */
const makePage = (page: EventPage, selected: readonly EventSelection[] | undefined) =>
  prepared((bind: Placeholders<Required<EventPage>>) => {
    const kinds = selected && kindsOf(selected);
    if (kinds && (page.subjectId !== undefined || kinds.length > maxBranches))
      return lookedFor(page, bind, kinds);
    const branch = (organization: SQL, condition: SQL | undefined) =>
      build
        .select(selection)
        .from(events)
        .where(and(eq(events.organization_id, organization), condition, ...placeOf(page, bind)))
        .getSQL();
    const branches = kinds
      ? kinds.map((kind) =>
          branch(organizationOf(bind.tokenHash, scopeOfCategory[kind.category]), isKind(kind)),
        )
      : [branch(organizationOfAllSeeing(bind.tokenHash), isNotNull(events.category))];
    const merged = sql`SELECT * FROM (${sql.join(branches, sql` UNION ALL `)} ORDER BY 1 LIMIT ${bind.limit})`;
    return rows(selection, sql`${merged} UNION ALL ${endOfPage(sql`NULL`)} LIMIT ${bind.limit}`);
  });

/**
 * A subject with names, or more kinds than branches: they are looked for among `limits.lookedAtRecords` events. Where
 * these are not all, the page ends early, and its last row holds where, with a text as its event.
 */
function lookedFor(page: EventPage, bind: Placeholders<Required<EventPage>>, kinds: readonly Kind[]) {
  const { organization_id, token_hash } = apiTokens;
  const organization = sql`(SELECT ${organization_id} FROM ${apiTokens} WHERE ${eq(token_hash, bind.tokenHash)})`;
  const ofPage = and(eq(events.organization_id, organization), ...placeOf(page, bind));
  const inOrder = sql`FROM ${events} WHERE ${ofPage} ORDER BY ${events.sequence}`;
  const lookedAt = sql.raw(String(limits.lookedAtRecords));
  const wanted = kinds.map((kind) =>
    and(
      eq(events.organization_id, organizationOf(bind.tokenHash, scopeOfCategory[kind.category])),
      isKind(kind),
    ),
  );
  const columns = sql.join(Object.values(selection), sql`, `);
  const found = sql`SELECT ${columns} FROM (SELECT * ${inOrder} LIMIT ${lookedAt}) AS ${events} WHERE ${or(...wanted)}`;
  const end = sql`(SELECT ${events.sequence} ${inOrder} LIMIT 1 OFFSET ${lookedAt} - 1)`;
  return rows(
    selection,
    sql`SELECT * FROM (${found} LIMIT ${bind.limit}) UNION ALL ${endOfPage(end)} LIMIT ${bind.limit}`,
  );
}

/** Where a page starts, and what it is about. */
const placeOf = ({ since, subjectId }: EventPage, bind: Placeholders<Required<EventPage>>) => [
  sql`${events.sequence} > ${bind.after}`,
  since === undefined
    ? undefined
    : sql`${events.sequence} >= ${firstSince(bind.since)} AND ${events.created_at} >= ${bind.since}`,
  subjectId === undefined ? undefined : sql`${events.subject_id} = ${bind.subjectId}`,
];

/** The row that ends a page: where it ended early, else the newest event of all, as those behind are not selected. */
const endOfPage = (early: SQL) =>
  sql`SELECT coalesce(early, (SELECT max(${events.sequence}) FROM ${events})), NULL, iif(early IS NULL, NULL, 'early'),
    NULL, NULL, NULL, NULL FROM (SELECT ${early} AS early)`;
