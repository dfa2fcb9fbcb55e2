import { env } from "cloudflare:workers";
import { randomBytes } from "node:crypto";
import { type Scope, scopeCatalogue } from "../../src/contract/scopes.ts";
import { sha256Hex } from "../../src/platform/digest.ts";

/** Creates a workspace for one test, with an organization, its owner and a token with every scope. */
export interface Workspace {
  organizationId: string;
  ownerId: string;
  ownerEmail: string;
  token: string;
}

export async function makeWorkspace(
  options: { plan?: string; scopes?: readonly Scope[]; currency?: string; features?: readonly string[] } = {},
): Promise<Workspace> {
  const organizationId = crypto.randomUUID();
  const ownerId = crypto.randomUUID();
  const ownerEmail = `owner-${ownerId.slice(0, 8)}@example.com`;
  const { plan = "agency", currency = "USD", features = ["connector_api_ingest"] } = options;
  const { token, insert } = newToken({ organizationId, ownerId }, options.scopes);
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO organizations (id, slug, name, plan, currency, features) VALUES (?, ?, ?, ?, ?, ?)",
    ).bind(organizationId, `org-${organizationId}`, "Test studio", plan, currency, JSON.stringify(features)),
    env.DB.prepare(
      "INSERT INTO members (id, organization_id, email, name, role) VALUES (?, ?, ?, 'Owner', 'owner')",
    ).bind(ownerId, organizationId, ownerEmail),
    insert,
  ]);
  return { organizationId, ownerId, ownerEmail, token };
}

export async function makePlan(requestsPerMinute: number): Promise<string> {
  const name = `plan-${crypto.randomUUID()}`;
  await env.DB.prepare("INSERT INTO plans (name, api_access, requests_per_minute) VALUES (?, 1, ?)")
    .bind(name, requestsPerMinute)
    .run();
  return name;
}

const everyScope = Object.keys(scopeCatalogue) as Scope[];

/** Inserts a token by SQL, so that a test can use any set of scopes. */
export async function insertToken(of: Owner, scopes?: readonly Scope[]): Promise<string> {
  const { token, insert } = newToken(of, scopes);
  await insert.run();
  return token;
}

type Owner = Pick<Workspace, "organizationId" | "ownerId">;

function newToken({ organizationId, ownerId }: Owner, scopes: readonly Scope[] = everyScope) {
  const token = `svc_${randomBytes(18).toString("hex")}`;
  const insert = env.DB.prepare(
    `INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
      VALUES (?, ?, 'test', ?, ?, ?, ?)`,
  ).bind(
    crypto.randomUUID(),
    organizationId,
    sha256Hex(token),
    token.slice(0, 14),
    JSON.stringify(scopes),
    ownerId,
  );
  return { token, insert };
}
