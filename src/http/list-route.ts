import * as z from "zod";
import { idInput } from "../contract/fields.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import { type FoundPage, type PageValues, pageOfAnyRecords } from "../core/pages.ts";
import { type Query, run } from "../db/query.ts";
import { ListPage, PageParameters, pageOf, startOf } from "./pagination.ts";
import { read } from "./read.ts";
import type { ReadRoute } from "./route.ts";

type Resource = { id: string; updated_at: string };

interface Described<T extends Resource> {
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  scope: Scope;
  resource: z.ZodType<T>;
  example: T;
}

/** A list's filters by name. Selective ones have an index. */
type FilterShape = Record<string, z.ZodType<string | undefined>>;

/** Declares a list route with pages ordered by (updated_at, id) (contract L1-L10). */
export const listRoute = <T extends Resource>({
  page,
  resource,
  example,
  mayBeLarge,
  filters = {},
  ...described
}: Described<T> & {
  /** Whether 200 records may be too large for a page, which then ends early. */
  mayBeLarge?: boolean;
  filters?: FilterShape;
  page(values: PageValues): Query<FoundPage<T>>;
}): ReadRoute =>
  read({
    ...described,
    description:
      "Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. " +
      "With filters, a page may have fewer records than `limit`, or none.",
    // The cast is safe: the functions below accept additional filters.
    query: PageParameters.extend(filters as Record<never, never>),
    answer: ListPage(resource),
    answerDescription: "One page",
    examples: { answer: { data: [example], next_cursor: null } },
    failures: ["validation"],
    load({ tokenHash, query }) {
      const position = startOf(query);
      if (position instanceof Refusal) return position;
      const { limit, cursor: _, updated_since: __, ...given } = query;
      return page({ tokenHash, ...position, limit: limit + 1, filters: given });
    },
    async present(found, { tokenHash, query, services }, { principal: { organizationId } }) {
      const list = { route: described.path, organizationId, cursorKeys: services.cursorKeys, mayBeLarge };
      const { records, cut } = found;
      if (records.length > 0 || cut === null) return pageOf(await withEnd(services.db, found), query, list);
      // The first record is too large for this page. A page with fewer records has room for it.
      const { limit: _, cursor: __, updated_since: ___, ...filters } = query;
      const position = { updatedAt: cut.updated_at, id: cut.id };
      const fewer = page({ tokenHash, ...position, limit: pageOfAnyRecords + 1, filters });
      const ofFewer = await withEnd(services.db, await run(services.db, fewer));
      return pageOf(ofFewer, { ...query, limit: pageOfAnyRecords }, list);
    },
  });

/** Adds the position at which the search for a page ended early. The next page continues there. */
async function withEnd<T>(db: D1Database, found: FoundPage<T>): Promise<FoundPage<T>> {
  if (found.cut !== null || found.end === null) return found;
  return { ...found, cut: await run(db, found.end) };
}

/** Path parameters of a single-record route. The example is a record in the demo workspace. */
export const recordPath = (example: string) => z.object({ id: idInput.meta({ example }) });

/** Declares a route that returns one record by its id. */
export const recordRoute = <T extends Resource>({
  find,
  resource,
  example,
  ...described
}: Described<T> & { find(values: { tokenHash: string; id: string }): Query<T | null> }): ReadRoute =>
  read({
    ...described,
    params: recordPath(example.id),
    answer: resource,
    answerDescription: "The record",
    examples: { answer: example },
    failures: ["validation", "not_found"],
    load: ({ tokenHash, params }) => find({ tokenHash, id: params.id }),
    present: (record) => record ?? refuse("not_found"),
  });
