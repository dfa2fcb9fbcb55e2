import { DurableObject } from "cloudflare:workers";
import { hash as digest } from "node:crypto";
import { authorSql } from "./principal.ts";

/**
 * The baseline for a write: one D1 batch, one coordinator RPC with a durable claim, and one D1 insert, without
 * validation.
 */

interface BaselineEnv {
  DB: D1Database;
  COORDINATOR: DurableObjectNamespace<Coordinator>;
}

export class Coordinator extends DurableObject<BaselineEnv> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: BaselineEnv) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS claim (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  /** The output gate holds back the response until the claim is on disk. */
  claim(key: string, fingerprint: string): boolean {
    return this.#sql.exec("INSERT OR IGNORE INTO claim VALUES (?, ?)", key, fingerprint).rowsWritten > 0;
  }
}

interface NewEntry {
  project_id: string;
  description: string;
  spent_date: string;
  hours: number;
}

const projectSql = `SELECT client_id, currency FROM projects
  WHERE id = ? AND organization_id = (SELECT organization_id FROM api_tokens WHERE token_hash = ?)`;
const insertSql = `INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, description,
  spent_date,
  hours, started_at, ended_at, billable, hourly_rate_minor, currency, client_ref)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`;

const sha256Hex = (text: string) => digest("sha256", text, "hex");

export default {
  async fetch(request, env): Promise<Response> {
    const token = /^Bearer (svc_[a-f0-9]{36})$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const key = request.headers.get("idempotency-key");
    if (!token || !key) return new Response(null, { status: 401 });
    const hash = sha256Hex(token);
    const text = await request.text();
    const entry = JSON.parse(text) as NewEntry;
    const [principal, projects] = await env.DB.batch([
      env.DB.prepare(authorSql).bind(hash),
      env.DB.prepare(projectSql).bind(entry.project_id, hash),
    ]);
    const who = principal?.results[0] as { organization_id: string; actor_id: string } | undefined;
    const project = projects?.results[0] as { client_id: string; currency: string } | undefined;
    if (!who || !project) return new Response(null, { status: 401 });
    const fingerprint = sha256Hex(text);
    if (!(await env.COORDINATOR.getByName(who.organization_id).claim(key, fingerprint)))
      return new Response(null, { status: 409 });
    const row = await env.DB.prepare(insertSql)
      .bind(
        crypto.randomUUID(),
        who.organization_id,
        entry.project_id,
        project.client_id,
        who.actor_id,
        entry.description,
        entry.spent_date,
        entry.hours,
        null,
        null,
        1,
        null,
        project.currency,
        key,
      )
      .first();
    return Response.json(row, { status: 201 });
  },
} satisfies ExportedHandler<BaselineEnv>;
