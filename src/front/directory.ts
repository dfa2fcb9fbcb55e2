import { sha256Hex } from "../platform/digest.ts";
import { remember } from "../platform/remember.ts";

/** What a request says about its workspace. */
export interface Named {
  by: "token" | "prefix" | "slug" | "id" | "session";
  value: string;
}

export const namedByToken = (token: string): Named => ({ by: "token", value: sha256Hex(token) });

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No slug looks like an id, which may be in capitals. */
export const namedBySlugOrId = (text: string): Named =>
  idPattern.test(text) ? { by: "id", value: text.toLowerCase() } : { by: "slug", value: text };

/** The cell of each name. */
const cellBy = {
  token: `SELECT cell FROM api_tokens JOIN organizations ON organizations.id = organization_id WHERE token_hash = ?`,
  prefix: "SELECT cell FROM organizations WHERE link_prefix = ?",
  slug: "SELECT cell FROM organizations WHERE slug = ?",
  id: "SELECT cell FROM organizations WHERE id = ?",
  /** Of the only workspace of a person. */
  session: `SELECT min(cell) AS cell FROM sessions JOIN members ON members.email = sessions.email
    JOIN organizations ON organizations.id = organization_id WHERE token_hash = ? HAVING count(*) = 1`,
} as const;

/** Null: the directory has no such name. */
export const lookUp = async (directory: D1Database, { by, value }: Named): Promise<string | null> =>
  (await directory.prepare(cellBy[by]).bind(value).first<string>("cell")) ?? null;

/** Some 100 bytes each. */
const maxRemembered = 10_000;

/** The cells that this isolate looked up. Only what was found is remembered, so a new name works at once. */
const known = new Map<string, string>();

const keyOf = ({ by, value }: Named) => `${by} ${value}`;

export const rememberCell = (named: Named, cell: string): void =>
  remember(known, keyOf(named), cell, maxRemembered);

/** A session's workspaces come and go. */
export const rememberedCell = (named: Named): string | undefined =>
  named.by === "session" ? undefined : known.get(keyOf(named));
