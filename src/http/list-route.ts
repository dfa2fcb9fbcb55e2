import * as z from "zod";
import { Refusal, refuse } from "../contract/failures.ts";
import { idInput } from "../contract/fields.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Query } from "../db/query.ts";
import { Page, PageParameters, pageOf, startOf } from "./pagination.ts";
import { type ReadRoute, read } from "./route.ts";

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

/** A list of a resource, in pages by (updated_at, id) (specification 4.4, CONTRACT 5). */
export const listRoute = <T extends Resource>({
  page,
  resource,
  example,
  hasChildren,
  ...described
}: Described<T> & {
  /** Whether a record carries others: then a page ends early where it would be too large. */
  hasChildren?: boolean;
  page(values: { tokenHash: string; updatedAt: string; id: string; limit: number }): Query<T[]>;
}): ReadRoute =>
  read({
    ...described,
    description: "Ascending by (updated_at, id). Follow `next_cursor` until it is null.",
    query: PageParameters,
    answer: Page(resource),
    answerDescription: "One page",
    examples: { answer: { data: [example], next_cursor: null } },
    failures: ["validation"],
    load({ tokenHash, query }) {
      const position = startOf(query);
      return position instanceof Refusal
        ? position
        : page({ tokenHash, ...position, limit: query.limit + 1 });
    },
    present: (records, { query, cursorKey }, { organizationId }) =>
      pageOf(records, query, { route: described.path, organizationId, cursorKey, hasChildren }),
  });

/** Path parameters of a route about one record. */
export const RecordPath = z.object({ id: idInput });
export type RecordPath = z.output<typeof RecordPath>;

/** One record of a resource by its id. */
export const recordRoute = <T extends Resource>({
  find,
  resource,
  example,
  ...described
}: Described<T> & { find(values: { tokenHash: string; id: string }): Query<T | null> }): ReadRoute =>
  read({
    ...described,
    params: RecordPath,
    answer: resource,
    answerDescription: "The record",
    examples: { answer: example },
    failures: ["validation", "not_found"],
    load: ({ tokenHash, params }) => find({ tokenHash, id: params.id }),
    present: (record) => record ?? refuse("not_found"),
  });
