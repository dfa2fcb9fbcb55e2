import { authorizePath, tokenPath } from "../contract/connect-paths.ts";
import { sessionLimits } from "../contract/session-limits.ts";
import { isSecret, secretHash } from "../platform/secret.ts";
import { keyOfSlugOrId, keyOfToken, type WorkspaceKey } from "./directory.ts";
import { readText } from "./read-text.ts";

/** The first characters of a link, an invitation or a code identify its workspace. */
const byPrefix = (text: string): WorkspaceKey => ({ by: "prefix", value: text });

/** Returns how a request identifies its workspace, or null if it belongs to none or is rejected anyway. */
export async function workspaceKeyOf(request: Request): Promise<WorkspaceKey | null> {
  const { pathname } = new URL(request.url);
  const [, section = "", first = "", second = ""] = pathname.split("/").map(decoded);
  if (section.startsWith("api-")) return byToken(request);
  if (section === "review" && /^[\w-]{32}$/.test(first)) return byPrefix(first);
  if (section === "invitations" && isSecret(first)) return byPrefix(first);
  if (section === "settings" && first !== "") return { by: "slug", value: first };
  if (section === "brand" && second !== "") return { by: "id", value: first };
  if (request.method !== "POST") return null;
  if (pathname === tokenPath) return byCode(new URLSearchParams(await readCopy(request)).get("code"));
  if (pathname === authorizePath) return byForm(request);
  return section === "rpc" ? byCall(request) : null;
}

/** Decodes a path segment as the cells' routers do. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byToken({ headers }: Request): WorkspaceKey | null {
  const token = /^Bearer (svc_[a-f0-9]{36})$/.exec(headers.get("authorization") ?? "")?.[1];
  return token === undefined ? null : keyOfToken(token);
}

const byCode = (code: string | null): WorkspaceKey | null =>
  code !== null && isSecret(code) ? byPrefix(code) : null;

/** Returns the workspace that an admin chose for an app, or their only one. */
async function byForm(request: Request): Promise<WorkspaceKey | null> {
  const slug = new URLSearchParams(await readCopy(request)).get("workspace");
  return slug === null ? bySession(request) : { by: "slug", value: slug };
}

async function byCall(request: Request): Promise<WorkspaceKey | null> {
  const text = await readCopy(request);
  // Names can contain escapes.
  const named = /"organization"|\\u/.test(text) ? organizationIn(text) : undefined;
  return typeof named === "string" ? keyOfSlugOrId(named) : bySession(request);
}

function organizationIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { organization?: unknown }).organization;
  } catch {
    return undefined;
  }
}

function bySession({ headers }: Request): WorkspaceKey | null {
  const secret = /(?:^|;\s*)(?:__Host-)?session=([\w-]+)/.exec(headers.get("cookie") ?? "")?.[1];
  return isSecret(secret) ? { by: "session", value: secretHash(secret) } : null;
}

/** Reads a copy of the body, because the cell reads it again. The cell rejects a body that is too long. */
const readCopy = async (request: Request): Promise<string> =>
  (await readText(request.clone(), sessionLimits.formBytes)) ?? "";
