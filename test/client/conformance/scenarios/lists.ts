import assert from "node:assert/strict";
import { Model, seeded, unreliable } from "../model.ts";
import { type ClientScenario, errorOf, resultOf } from "../stage.ts";

const page = (name: string, next_cursor: string | null) => ({
  status: 200,
  body: { data: [{ id: `${name}1` }, { id: `${name}2` }], next_cursor },
});
const three = [page("a", "c1"), page("b", "c2"), page("c", null)];
const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);

export const listScenarios: ClientScenario[] = [
  {
    promise: "Reads a list page by page and sends the same filters with each request",
    async run({ serve, list }) {
      const { client, asked } = await serve(three);
      const query = { limit: 2, updated_since: "2026-01-31T09:30:00Z" };
      const records = resultOf<{ id: string }[]>(await list(client, "clients.list", { query }));
      assert.deepEqual(idsOf(records), ["a1", "a2", "b1", "b2", "c1", "c2"]);
      assert.deepEqual(
        asked.map(({ url }) => url.searchParams.get("cursor")),
        [null, "c1", "c2"],
      );
      const filters = asked.map(({ url }) => [
        url.searchParams.get("limit"),
        url.searchParams.get("updated_since"),
      ]);
      assert.deepEqual(filters, Array(3).fill(["2", query.updated_since]));
    },
  },
  {
    promise: "Accepts booleans and lists of names as filters",
    async run({ serve, list }) {
      const { client, asked } = await serve([page("a", null), page("b", null), page("c", null)]);
      await list(client, "clients.list", { query: { is_sample: true } });
      await list(client, "deliverables.list", { query: { is_sample: false } });
      await list(client, "events.list", { query: { types: ["money", "signoff.recorded"] } });
      assert.deepEqual(
        asked.map(({ url }) => [...url.searchParams]),
        [[["is_sample", "true"]], [["is_sample", "false"]], [["types", "money,signoff.recorded"]]],
      );
    },
  },
  {
    promise: "Requests a page only when the caller reads it",
    async run({ serve, list }) {
      const { client, asked } = await serve(three);
      assert.deepEqual(resultOf(await list(client, "clients.list", { max: 0 })), []);
      assert.equal(asked.length, 0);
      assert.equal(resultOf<unknown[]>(await list(client, "clients.list", { max: 2 })).length, 2);
      assert.equal(asked.length, 1);
    },
  },
  {
    promise: "Returns one page, starting at the query's cursor, with the next cursor",
    async run({ serve, list }) {
      const { client, asked } = await serve([page("b", "c2")]);
      const query = { cursor: "c1" };
      assert.deepEqual(
        resultOf(await list(client, "clients.list", { query, walk: "page" })),
        page("b", "c2").body,
      );
      assert.equal(asked[0]?.url.search, "?cursor=c1");
    },
  },
  {
    promise: "Returns one page after another from pages()",
    async run({ serve, list }) {
      const { client } = await serve(three);
      const pages = resultOf<{ id: string }[][]>(await list(client, "clients.list", { walk: "pages" }));
      assert.deepEqual(pages.map(idsOf), [
        ["a1", "a2"],
        ["b1", "b2"],
        ["c1", "c2"],
      ]);
    },
  },
  {
    promise:
      "Returns every record from all(), and at most `max` records from all(max) without an extra request",
    async run({ serve, list }) {
      const counted = async (max?: number) => {
        const { client, asked } = await serve(three);
        const asking = { walk: "all", ...(max === undefined ? {} : { max }) } as const;
        return [resultOf<unknown[]>(await list(client, "clients.list", asking)).length, asked.length];
      };
      assert.deepEqual(
        [await counted(), await counted(3), await counted(4), await counted(0)],
        [
          [6, 3],
          [3, 2],
          [4, 2],
          [0, 0],
        ],
      );
    },
  },
  {
    promise: "Returns no records for an empty list",
    async run({ serve, list }) {
      const { client, asked } = await serve([{ status: 200, body: { data: [], next_cursor: null } }]);
      assert.deepEqual(resultOf(await list(client, "deliverables.listVersions", { values: ["an id"] })), []);
      assert.equal(asked[0]?.url.pathname, "/api-v1/deliverables/an%20id/versions");
    },
  },
  {
    promise: "Sends the filters of an event list, and returns its latest cursor",
    async run({ serve, list }) {
      const body = { data: [], next_cursor: null, latest_cursor: "after-7" };
      const { client, asked } = await serve([{ status: 200, body }]);
      const query = { types: "money", subject_id: "an id" };
      assert.deepEqual(resultOf(await list(client, "events.list", { query, walk: "page" })), body);
      assert.deepEqual([...(asked[0]?.url.searchParams ?? [])].sort(), [
        ["subject_id", "an id"],
        ["types", "money"],
      ]);
    },
  },
  {
    promise: "Returns every record once over an unreliable network",
    async run({ serve, list }) {
      const model = new Model();
      for (let index = 0; index < 130; index++) model.write("name", index);
      const { client } = await serve(unreliable(model, seeded(3)), { maxRetries: 30 });
      const records = resultOf<{ id: string }[]>(
        await list(client, "clients.list", { query: { limit: 10 } }),
      );
      assert.deepEqual(idsOf(records), idsOf(model.rows));
    },
  },
  {
    promise: "Throws a ValidationError if the service rejects the cursor",
    async run({ serve, list }) {
      const { client } = await serve([
        page("a", "c1"),
        { status: 400, body: { error: "cursor is invalid" } },
      ]);
      assert.equal(errorOf(await list(client, "clients.list")).name, "ValidationError");
    },
  },
];
