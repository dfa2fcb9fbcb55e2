import { DurableObject } from "cloudflare:workers";

/** What one trip costs: a Worker that makes the trips its path names, and nothing else. */

interface TripsEnv {
  DB: D1Database;
  COORDINATOR: DurableObjectNamespace<Coordinator>;
}

export class Coordinator extends DurableObject<TripsEnv> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: TripsEnv) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec("CREATE TABLE IF NOT EXISTS claim (key TEXT PRIMARY KEY) WITHOUT ROWID");
  }

  count(): number {
    return 1;
  }

  claim(): void {
    this.#sql.exec("INSERT INTO claim VALUES (?)", crypto.randomUUID());
  }
}

const readSql = "SELECT id, name FROM organizations LIMIT 1";
const writeSql = "UPDATE organizations SET next_invoice_number = next_invoice_number + 1";

const trips: Record<string, (env: TripsEnv) => Promise<unknown>> = {
  none: async () => {},
  "coordinator, a count": ({ COORDINATOR }) => COORDINATOR.getByName("coordinator").count(),
  "coordinator, a write": ({ COORDINATOR }) => COORDINATOR.getByName("coordinator").claim(),
  "D1, a read": ({ DB }) => DB.batch([DB.prepare(readSql)]),
  "D1, two reads in a batch": ({ DB }) => DB.batch([DB.prepare(readSql), DB.prepare(readSql)]),
  "D1, two reads in turn": async ({ DB }) => {
    await DB.batch([DB.prepare(readSql)]);
    await DB.batch([DB.prepare(readSql)]);
  },
  "D1, a write": ({ DB }) => DB.batch([DB.prepare(writeSql)]),
};

export default {
  async fetch(request, env): Promise<Response> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    await trips[name]?.(env);
    return new Response("ok");
  },
} satisfies ExportedHandler<TripsEnv>;
