import { createHash } from "node:crypto";
import type { Bench, Scenario } from "../bench.ts";
import { fire, type Shot } from "../load.ts";
import { atMost, type Line, type Promised } from "../report.ts";
import { compete } from "../rounds.ts";
import { bindings, workspace } from "../seed.ts";

/** What a refused list costs, against one whose token nobody has: rows and CPU. */

const connections = 32;
const rounds = 9;
const rowsAllowed = 8;

/** Tokens that are refused, by why; `limited` is of an organization with room for one request a minute. */
const tokenOf = (digit: string) => `svc_${digit.repeat(36)}`;
const refusals = {
  revoked: { token: tokenOf("a"), status: 401 },
  scope: { token: tokenOf("b"), status: 403 },
  limited: { token: tokenOf("c"), status: 429 },
  "unknown token": { token: tokenOf("d"), status: 401 },
} as const;
type Refused = keyof typeof refusals;

const shot = (name: Refused): Omit<Shot, "url"> => ({
  headers: { authorization: `Bearer ${refusals[name].token}`, apikey: bindings.gatewayPublicKey },
  status: refusals[name].status,
});

export const refusedRequests: Scenario = async (bench) => {
  await makeTokens(bench);
  const url = `${bench.server.addressOf("app")}/api-v1/time-entries?limit=200`;
  const names = Object.keys(refusals) as Refused[];
  const contenders = names.map((name) => ({
    name,
    async measure(seconds: number) {
      const before = await bench.server.cpuMs();
      const volley = await fire({ ...shot(name), url }, connections, seconds);
      const cpuMs = (await bench.server.cpuMs()) - before;
      return { perSecond: volley.requestsPerSecond, p50Ms: volley.p50Ms, cpuMsEach: cpuMs / volley.requests };
    },
  }));
  const usedBy = new Map<string, Awaited<ReturnType<typeof bench.database.used>>>();
  for (const name of names) {
    const ask = () => fetch(url, { headers: shot(name).headers });
    await ask();
    usedBy.set(name, await bench.database.used(ask));
  }
  // The first requests of a minute tell the isolate that the organization is over its window.
  const progress = (text: string) => bench.progress(`refused: ${text}`);
  const standings = await compete(contenders, { rounds, seconds: 1, progress });
  const lines: Line[] = [];
  const promises: Promised[] = [];
  for (const { name, cpuMsEach, ...standing } of standings) {
    const used = usedBy.get(name) ?? { trips: 0, rows_read: 0, rows_written: 0 };
    const { trips, rows_read: rowsRead, rows_written: rowsWritten } = used;
    lines.push({
      scenario: `refused: ${name}`,
      contender: "app",
      cpuMs: cpuMsEach,
      ...standing,
      trips: `${trips} D1`,
      rowsRead,
      rowsWritten,
    });
    if (name === "unknown token") continue;
    promises.push(
      atMost(`refused: ${name}: rows read`, rowsRead, rowsAllowed),
      atMost(`refused: ${name}: CPU of an unknown token's`, standing.cpuRatio, 1.2),
    );
  }
  return { lines, promises };
};

async function makeTokens({ database }: Bench): Promise<void> {
  const { organizationId, ownerId } = workspace;
  const limited = "00000000-0000-4000-8000-00000000000d";
  const limitedOwner = "00000000-0000-4000-8000-00000000000e";
  await database.run(
    `INSERT INTO plans (name, api_access, requests_per_minute, storage_mb, records_cap, mails_per_day)
     SELECT 'bench-limited', 1, 1, storage_mb, records_cap, mails_per_day FROM plans WHERE name = 'agency'`,
  );
  await database.run(
    "INSERT INTO organizations (id, slug, name, plan) VALUES (?, 'limited', 'Limited', 'bench-limited')",
    limited,
  );
  await database.run(
    "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'limited@example.com', 'owner')",
    limitedOwner,
    limited,
  );
  const tokens = [
    ["revoked", organizationId, ownerId, ["time:read"], "2026-01-31T09:30:00.000Z"],
    ["scope", organizationId, ownerId, ["client:read"], null],
    ["limited", limited, limitedOwner, ["time:read"], null],
  ] as const;
  for (const [name, organization, createdBy, scopes, revokedAt] of tokens) {
    const { token } = refusals[name];
    await database.run(
      `INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      crypto.randomUUID(),
      organization,
      name,
      createHash("sha256").update(token).digest("hex"),
      token.slice(0, 14),
      JSON.stringify(scopes),
      createdBy,
      revokedAt,
    );
  }
}
