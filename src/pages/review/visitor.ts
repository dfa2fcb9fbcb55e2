import type { Context } from "hono";
import { sessionSecret } from "../../http/session-cookie.ts";
import type { ReviewVisit } from "../../review/visits/find-review.ts";
import { findSession, type OpenWorkspace } from "../../workspace/sessions/find-session.ts";
import type { PageApp } from "../page-app.ts";
import { keyHashOf } from "./cookie.ts";

type C = Context<PageApp>;

/** Which review is asked for, and by whose key. */
export const visitOf = (c: C): ReviewVisit => ({
  shareToken: c.req.param("token") ?? "",
  keyHash: keyHashOf(c),
});

/** The workspace as the visitor may work in it, if they are signed in as an owner or admin of it. */
export async function adminOf(c: C, organizationId: string): Promise<OpenWorkspace | undefined> {
  const session = await findSession(c.get("services").db, sessionSecret(c));
  return session?.workspaces.find(({ id }) => id === organizationId);
}
