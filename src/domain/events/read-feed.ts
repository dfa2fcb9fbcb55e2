import { and, eq, isNotNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { build, type Placeholders, prepared, rows } from "../../db/build.ts";
import { grantedBy, organizationOf } from "../../db/organization.ts";
import { mapped, type Query } from "../../db/query.ts";
import { events } from "../../db/schema/webhooks.ts";
import { apiTokens } from "../../db/schema/workspace.ts";
import { remember } from "../../platform/remember.ts";
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

/** One branch of the feed reads one index: of a category, of one name in it, or of everything. */
function branchCondition({ category, names }: EventSelection): SQL | undefined {
  if (names === "all") return eq(events.category, category);
  const [name = "", ...others] = names;
  if (others.length === 0) return eq(events.event, name);
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(names)}))`;
  return and(eq(events.category, category), sql`${events.event} IN ${list}`);
}

const pages = new Map<string, (page: Required<EventPage>) => Query<Record<string, unknown>[]>>();

/** The events found after a position. */
export interface FoundEvents {
  events: FedEvent[];
  /** The sequence of the newest event of any organization; 0 if the page is full, because nobody needs it then. */
  newest: number;
}

/** Selected events after a position; without a selection all, for a token that may see them all. */
export function feedPage(page: EventPage, selected?: readonly EventSelection[]): Query<FoundEvents> {
  const key = JSON.stringify([selected ?? null, page.since !== undefined, page.subjectId !== undefined]);
  const find = pages.get(key) ?? makePage(page, selected);
  remember(pages, key, find, maxKeptPages);
  return mapped(find({ ...page, since: page.since ?? "", subjectId: page.subjectId ?? "" }), (found) => ({
    events: found.filter(({ id }) => id !== null).map((event) => toEvent(event as RawEvent)),
    newest: Number(found.find(({ id }) => id === null)?.sequence ?? 0),
  }));
}

/** Clients use few selections, but the same names in another order are another selection. */
const maxKeptPages = 200;

type RawEvent = Omit<FedEvent, "data"> & { payload: string };

const toEvent = ({ payload, ...event }: RawEvent): FedEvent => ({ ...event, data: JSON.parse(payload).data });

/**
 * SQLite merges the branches by sequence. It reads from each what the page takes, and one more. A page that is not full
 * ends with a row that holds only the newest sequence: the place to ask from again lies behind unselected events.
 */
const makePage = ({ since, subjectId }: EventPage, selected: readonly EventSelection[] | undefined) =>
  prepared((bind: Placeholders<Required<EventPage>>) => {
    const shared = [
      sql`${events.sequence} > ${bind.after}`,
      since === undefined
        ? undefined
        : sql`${events.sequence} >= ${firstSince(bind.since)} AND ${events.created_at} >= ${bind.since}`,
      subjectId === undefined ? undefined : sql`${events.subject_id} = ${bind.subjectId}`,
    ];
    const branch = (organization: SQL, condition: SQL | undefined) =>
      build
        .select(selection)
        .from(events)
        .where(and(eq(events.organization_id, organization), condition, ...shared))
        .getSQL();
    const branches = selected
      ? selected.map((each) =>
          branch(organizationOf(bind.tokenHash, scopeOfCategory[each.category]), branchCondition(each)),
        )
      : [branch(organizationOfAllSeeing(bind.tokenHash), isNotNull(events.category))];
    const merged = sql`SELECT * FROM (${sql.join(branches, sql` UNION ALL `)} ORDER BY 1 LIMIT ${bind.limit})`;
    const newest = sql`SELECT max(${events.sequence}), NULL, NULL, NULL, NULL, NULL, NULL FROM ${events}`;
    return rows(selection, sql`${merged} UNION ALL ${newest} LIMIT ${bind.limit}`);
  });
