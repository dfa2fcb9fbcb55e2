import { DurableObject } from "cloudflare:workers";
import { hash as digest } from "node:crypto";
import { principalSql } from "./principal.ts";

/**
 * The baseline for a read: checks the token's format, and makes a SHA-256, one D1 batch and one coordinator RPC, with
 * almost no other checks.
 */

interface BaselineEnv {
  DB: D1Database;
  COORDINATOR: DurableObjectNamespace<Coordinator>;
}

export class Coordinator extends DurableObject<BaselineEnv> {
  #count = 0;
  count(): number {
    this.#count += 1;
    return this.#count;
  }
}

const columns = `id, project_id, client_id, user_id, description, spent_date, hours, started_at, ended_at, billable,
  hourly_rate_minor, currency, invoice_id, client_ref, created_at, updated_at`;
const ofToken = "organization_id = (SELECT organization_id FROM api_tokens WHERE token_hash = ?)";
const pageSql = `SELECT ${columns} FROM time_entries WHERE ${ofToken} AND (updated_at, id) > (?, ?)
  ORDER BY updated_at, id LIMIT ?`;
const recordSql = `SELECT ${columns} FROM time_entries WHERE id = ? AND ${ofToken}`;

export default {
  async fetch(request, env): Promise<Response> {
    const token = /^Bearer (svc_[a-f0-9]{36})$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!token) return new Response(null, { status: 401 });
    const hash = digest("sha256", token, "hex");
    const id = request.url.split("/api-v1/time-entries/")[1];
    const data = id
      ? env.DB.prepare(recordSql).bind(id, hash)
      : env.DB.prepare(pageSql).bind(hash, "", "", 51);
    const [principal, found] = await env.DB.batch([env.DB.prepare(principalSql).bind(hash), data]);
    const organization = principal?.results[0] as { organization_id: string } | undefined;
    if (!organization) return new Response(null, { status: 401 });
    await env.COORDINATOR.getByName(organization.organization_id).count();
    const rows = found?.results ?? [];
    return Response.json(
      id ? rows[0] : { data: rows.slice(0, 50), next_cursor: rows.length > 50 ? "more" : null },
    );
  },
} satisfies ExportedHandler<BaselineEnv>;
