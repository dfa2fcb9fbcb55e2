import { and, asc, eq, gt, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { roles } from "../../contract/closed-sets.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { build, named, type Placeholders, prepared, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { secretHash } from "../../platform/secret.ts";
import type { ShownBrand } from "../brands/addresses.ts";
import { brands } from "../brands/tables.ts";
import { members } from "../members/tables.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { isAdminUnder } from "./admins.ts";
import { sessions } from "./tables.ts";

/** A workspace that a session may work in, and as which member. */
export interface OpenWorkspace {
  id: string;
  slug: string;
  name: string;
  /** The member's address as this workspace has it. */
  email: string;
  /** The member's name, if they gave one. */
  person: string | null;
  role: (typeof roles)[number];
  plan: string;
  brand: ShownBrand;
  /** Whether its plan includes API tokens and webhooks. */
  api_access: boolean;
}

export interface Session {
  email: string;
  /** Ordered by name and never empty: a person who is not an admin anywhere has no session. */
  workspaces: readonly OpenWorkspace[];
}

export const isLiveSession = (tokenHash: string | Placeholder): SQL | undefined =>
  and(
    eq(sessions.token_hash, tokenHash),
    gt(sessions.expires_at, now),
    gt(sessions.last_used_at, nowWith(`-${sessionLimits.idleHours} hours`)),
  );

type OfSession = Placeholders<{ tokenHash: string }>;

const isStale = lt(sessions.last_used_at, nowWith(`-${sessionLimits.lastUseMinutes} minutes`));

const keepOpen = prepared(({ tokenHash }: OfSession) =>
  statement(
    build
      .update(sessions)
      .set({ last_used_at: now })
      .where(and(isLiveSession(tokenHash), isStale)),
  ),
);

const workspacesOf = prepared(({ tokenHash }: OfSession) =>
  rowsOf(
    build
      .select({
        id: organizations.id,
        slug: organizations.slug,
        name: organizations.name,
        email: named(members.email, "email"),
        person: named(members.name, "person"),
        role: members.role,
        plan: organizations.plan,
        accent: brands.accent,
        logo_content_type: brands.logo_content_type,
        logo_sha256: brands.logo_sha256,
        api_access: plans.api_access,
        isStale: sql<number>`${isStale}`.as("isStale"),
      })
      .from(sessions)
      .innerJoin(members, isAdminUnder(sql`${sessions.email}`))
      .innerJoin(organizations, eq(organizations.id, members.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(brands, eq(brands.organization_id, organizations.id))
      .where(isLiveSession(tokenHash))
      .orderBy(asc(organizations.name), asc(organizations.id)),
  ),
);

/**
 * The session of a secret with its current permissions; null if it has ended. One trip, which writes every five
 * minutes: a secret of no session writes nothing.
 */
export async function findSession(db: D1Database, secret: string | undefined): Promise<Session | null> {
  if (!secret) return null;
  const tokenHash = secretHash(secret);
  const found = await run(db, workspacesOf({ tokenHash }));
  const [first] = found;
  if (!first) return null;
  // While the database accepts no writes, reads continue.
  if (first.isStale)
    await run(db, keepOpen({ tokenHash })).catch((error) => report({ failed: "keep a session open" }, error));
  return {
    email: first.email,
    workspaces: found.map(({ isStale: _, accent, logo_content_type, logo_sha256, ...workspace }) => ({
      ...workspace,
      brand: { organization_id: workspace.id, accent, logo_content_type, logo_sha256 },
    })),
  };
}
