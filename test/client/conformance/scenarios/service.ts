import assert from "node:assert/strict";
import { type ClientScenario, errorOf, resultOf } from "../stage.ts";

const nowhere = "00000000-0000-4000-8000-000000000000";

interface Written {
  id: string;
  name: string;
  idempotent_replay?: true;
}

export const serviceScenarios: ClientScenario[] = [
  {
    promise: "Creates, reads and lists a client, and gets a replay with the same key",
    async run({ real, call, list }) {
      const asking = {
        body: { company_name: "Öster & Søn" },
        options: { idempotencyKey: crypto.randomUUID() },
      };
      const made = resultOf<Written>(await call(real, "clients.create", asking));
      const again = resultOf<Written>(await call(real, "clients.create", asking));
      assert.deepEqual(
        [again.id, again.idempotent_replay, made.idempotent_replay],
        [made.id, true, undefined],
      );
      assert.deepEqual(resultOf(await call(real, "clients.get", { values: [made.id] })), made);
      const listed = resultOf<Written[]>(await list(real, "clients.list", { query: { limit: 2 } }));
      assert.ok(listed.some(({ id }) => id === made.id));
      const other = await call(real, "clients.create", { ...asking, body: { company_name: "Another" } });
      assert.equal(errorOf(other).name, "IdempotencyKeyReusedError");
    },
  },
  {
    promise: "Throws the error class for each refusal, with the request id",
    async run({ real, call }) {
      const refusals = await Promise.all([
        call(real, "invoices.get", { values: [nowhere] }),
        call(real, "clients.create", { body: {} }),
        call({ ...real, token: "svc_nonsense" }, "token.get"),
        call(real, "deliverables.send", { values: [nowhere], body: {} }),
      ]);
      const told = refusals.map(errorOf);
      const names = ["NotFoundError", "ValidationError", "AuthenticationError", "InsufficientScopeError"];
      assert.deepEqual(
        told.map(({ name }) => name),
        names,
      );
      for (const { requestId } of told) assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    },
  },
  {
    promise: "Lists every problem of a 400, with a suggestion for a misspelled field",
    async run({ real, call }) {
      const body = { companyName: "Northwind", email: "nobody" };
      const { errors = [] } = errorOf(await call(real, "clients.create", { body }));
      assert.deepEqual(errors.map(({ field, suggestion }) => [field, suggestion]).sort(), [
        ["companyName", "company_name"],
        ["company_name", undefined],
        ["email", undefined],
      ]);
      assert.ok(errors.every(({ field, message }) => message.startsWith(field)));
    },
  },
  {
    promise: "Copies all clients",
    async run({ real, list, ask, database }) {
      const { file, database: copy } = database();
      const store = { file, name: "clients", table: "copy" };
      for (const _ of ["once", "again"]) resultOf(await ask("sync", real, { store }));
      const rows = copy
        .prepare("SELECT id FROM copy ORDER BY id")
        .all()
        .map(({ id }) => String(id));
      const listed = resultOf<Written[]>(await list(real, "clients.list", { query: { limit: 200 } }));
      for (const { id } of listed.slice(0, 3)) assert.ok(rows.includes(id));
      assert.ok(rows.length >= 3);
    },
  },
  {
    promise: "Follows the feed to its end",
    async run({ real, list, ask, database }) {
      const { file, database: work } = database();
      for (const _ of ["once", "again"]) {
        resultOf(await ask("catchUp", real, { store: { file, name: "events", table: "work" } }));
      }
      const rows = work.prepare("SELECT event_id FROM work ORDER BY number").all();
      const listed = resultOf<{ id: string }[]>(await list(real, "events.list"));
      assert.deepEqual(
        rows.map(({ event_id }) => event_id),
        listed.map(({ id }) => id),
      );
      assert.ok(rows.length > 0);
    },
  },
];
