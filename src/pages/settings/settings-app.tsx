import { type Context, Hono } from "hono";
import { findSession } from "../../domain/sessions/find-session.ts";
import { sessionSecret } from "../../http/session-cookie.ts";
import { documentOf } from "../layout.tsx";
import type { PageApp } from "../page-app.ts";
import { WorkspacesPage } from "./workspaces-page.tsx";

type C = Context<PageApp>;

/** The settings of workspaces, for their owners and admins (CONTRACT 11). */
export function settingsApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/", showWorkspaces);
  return app;
}

async function showWorkspaces(c: C): Promise<Response> {
  const session = await findSession(c.get("services").db, sessionSecret(c));
  if (!session) return c.redirect("/sign-in", 303);
  const [only, ...others] = session.workspaces;
  if (only && others.length === 0) return c.redirect(`/settings/${only.slug}/tokens`, 303);
  return c.html(documentOf(<WorkspacesPage session={session} />)) as Response;
}
