import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import type { Database } from "./database.ts";

export const workspace = {
  organizationId: "00000000-0000-4000-8000-000000000001",
  ownerId: "00000000-0000-4000-8000-000000000002",
  clientId: "00000000-0000-4000-8000-000000000003",
  projectId: "00000000-0000-4000-8000-000000000004",
  token: `svc_${"0123456789abcdef".repeat(3).slice(0, 36)}`,
} as const;

/** Must match config.capnp. */
export const bindings = {
  gatewayPublicKey: "bench",
  cursorKeys: ["bench-cursor-key-0000000000000000"],
  webhookSecretKey: "bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTAwMDAwMDAwMDA=",
} as const;

/** Applies the migrations and adds a workspace on an unlimited plan. */
export async function migrateAndSeed(database: Database): Promise<void> {
  const directory = join(import.meta.dirname, "..", "migrations");
  await database.run("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  for (const file of (await readdir(directory)).sort()) {
    // One by one, because D1 does not accept statements over 100 KB.
    for (const statement of unstable_splitSqlQuery(await readFile(join(directory, file), "utf8")))
      await database.run(statement);
    await database.run(`INSERT INTO d1_migrations (name) VALUES ('${file}')`);
  }
  const { organizationId, ownerId, clientId, projectId, token } = workspace;
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const rows: [string, ...unknown[]][] = [
    ["UPDATE plans SET requests_per_minute = 1000000000, records_cap = NULL WHERE name = 'agency'"],
    [
      "INSERT INTO organizations (id, slug, name, plan) VALUES (?, 'bench', 'Bench', 'agency')",
      organizationId,
    ],
    [
      "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'owner@example.com', 'owner')",
      ownerId,
      organizationId,
    ],
    [
      `INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
       VALUES ('00000000-0000-4000-8000-000000000005', ?, 'bench', ?, ?, ?, ?)`,
      organizationId,
      tokenHash,
      token.slice(0, 14),
      JSON.stringify([
        "time:read",
        "time:write",
        "client:read",
        "project:read",
        "invoice:read",
        "invoice:write",
        "deliverable:read",
      ]),
      ownerId,
    ],
    [
      "INSERT INTO clients (id, organization_id, company_name) VALUES (?, ?, 'Client')",
      clientId,
      organizationId,
    ],
    [
      "INSERT INTO projects (id, organization_id, client_id, name, currency) VALUES (?, ?, ?, 'Project', 'USD')",
      projectId,
      organizationId,
      clientId,
    ],
  ];
  for (const [sql, ...params] of rows) await database.run(sql, ...params);
  await seedTimeEntries(database, 1, seededTimeEntries);
}

/** The number of time entries that all scenarios share. The scenario `rows` adds more. */
export const seededTimeEntries = 10_000;
const rowsPerStatement = 50_000;

/** Inserts the time entries numbered `from` to `to`, each updated one second after the previous one. */
export async function seedTimeEntries(database: Database, from: number, to: number): Promise<void> {
  const { organizationId, projectId, clientId, ownerId } = workspace;
  for (let first = from; first <= to; first += rowsPerStatement) {
    await database.run(
      `WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, description, spent_date, hours,
         billable, hourly_rate_minor, currency, client_ref, created_at, updated_at)
       SELECT printf('%08x-0000-4000-8000-%012x', i * 2654435761 & 0xffffffff, i), ?, ?, ?, ?,
         'Wireframes of the landing page', '2026-01-31', 1.5, 1, 9500, 'USD', 'timer-' || i,
         strftime('%Y-%m-%dT%H:%M:%fZ', ${firstChangeSeconds} + i, 'unixepoch'),
         strftime('%Y-%m-%dT%H:%M:%fZ', ${firstChangeSeconds} + i, 'unixepoch') FROM n`,
      first,
      Math.min(first + rowsPerStatement - 1, to),
      organizationId,
      projectId,
      clientId,
      ownerId,
    );
  }
}

const firstChangeSeconds = 1_600_000_000;

/** Time entry number `i`, with its id and the time of its last change. */
export function seededTimeEntry(i: number): { id: string; updated_at: string } {
  const hex = (n: number | bigint, digits: number) => n.toString(16).padStart(digits, "0");
  const scattered = (BigInt(i) * 2654435761n) & 0xffffffffn;
  return {
    id: `${hex(scattered, 8)}-0000-4000-8000-${hex(i, 12)}`,
    updated_at: new Date((firstChangeSeconds + i) * 1000).toISOString(),
  };
}
