import type { components, paths, webhooks } from "./schema.ts";

/** Types of parameters and results, derived from the generated types by path. */

type JsonOf<T> = T extends { content: { "application/json": infer Json } } ? Json : never;
type ResponsesOf<T> = T extends { responses: infer Responses } ? Responses : never;
type AnswerAt<T, Status extends number> =
  ResponsesOf<T> extends Record<Status, infer Answer> ? JsonOf<Answer> : never;

export type ReadPath = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths];
export type WritePath = { [P in keyof paths]: paths[P] extends { post: object } ? P : never }[keyof paths];

/** The response of a GET. */
export type Record200<P extends ReadPath> = paths[P] extends { get: infer Get } ? AnswerAt<Get, 200> : never;

/** Paths of lists. */
export type ListPath = {
  [P in ReadPath]: Record200<P> extends { data: unknown[]; next_cursor: string | null } ? P : never;
}[ReadPath];

export type Item<P extends ListPath> = Record200<P> extends { data: (infer T)[] } ? T : never;

/** Lists that can be copied, because their records have `updated_at`. */
export type SyncPath = {
  [P in ListPath]: Item<P> extends { updated_at: string } ? P : never;
}[ListPath];

export type QueryOf<P extends ReadPath> = paths[P] extends {
  get: { parameters: { query?: infer Parameters } };
}
  ? NonNullable<Parameters>
  : never;

export type BodyOf<P extends WritePath> = paths[P] extends { post: { requestBody?: infer Request } }
  ? JsonOf<NonNullable<Request>>
  : never;

type DryRun = { dry_run: true };

/** The created record, with `idempotent_replay: true` if an earlier request with the same key created it. */
export type Written<P extends WritePath> = paths[P] extends { post: infer Post }
  ? ([AnswerAt<Post, 201>] extends [never]
      ? Omit<Exclude<AnswerAt<Post, 200>, DryRun>, "idempotent_replay">
      : AnswerAt<Post, 201>) & { idempotent_replay?: true }
  : never;

/** The response of a dry run. `would_be` is the status of the real write. Ids and times will differ. */
export type Rehearsed<P extends WritePath> = paths[P] extends { post: infer Post }
  ? Extract<AnswerAt<Post, 200>, DryRun>
  : never;

/** The values of a path's `{…}`, in order. */
export type PathValues<P extends string> = P extends `${string}{id}${infer Rest}`
  ? [id: string, ...PathValues<Rest>]
  : P extends `${string}{n}${infer Rest}`
    ? [version: number, ...PathValues<Rest>]
    : [];

export type FeedQuery = QueryOf<"/api-v1/events">;

/** The body of a delivery: a union to switch on by `event`. Use `default:` to ignore new events. */
export type WebhookEvent = {
  [E in keyof webhooks]: JsonOf<webhooks[E]["post"]["requestBody"]>;
}[keyof webhooks];

/** An event of the feed: the body of its deliveries, with its id and its record's id. */
export type FeedEvent = WebhookEvent & Pick<components["schemas"]["Event"], "id" | "category" | "subject_id">;
