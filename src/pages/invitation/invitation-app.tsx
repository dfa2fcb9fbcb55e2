import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import { adminRoles } from "../../contract/closed-sets.ts";
import { run } from "../../db/query.ts";
import { isSecret } from "../../platform/secret.ts";
import { publishSafely } from "../../workspace/directory/publish.ts";
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
} from "../../workspace/members/accept-invitation.ts";
import { showPage } from "../layout.tsx";
import type { PageApp } from "../page-app.ts";
import { DeadInvitationPage, InvitationPage, JoinedPage } from "./invitation-pages.tsx";

type C = Context<PageApp>;

/** Serves the page for accepting an invitation, signed in or not (docs/design/sessions.md). GET changes nothing. */
export function invitationApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/:secret", show).post(accept);
  return app;
}

const html = (c: C, page: Child, status: 200 | 404 = 200): Response => showPage(c, page, status);

/** Finds the invitation for the secret in the URL. A malformed secret is refused without a round trip. */
async function found(c: C, find: (secret: string) => Promise<Invitation | null>): Promise<Invitation | null> {
  const secret = c.req.param("secret");
  return isSecret(secret) ? find(secret) : null;
}

async function show(c: C): Promise<Response> {
  const invitation = await found(c, (secret) => run(c.get("services").db, findInvitation(secret)));
  return invitation
    ? html(c, <InvitationPage path={c.req.path} invitation={invitation} />)
    : html(c, <DeadInvitationPage />, 404);
}

/** Redirects a new admin to the settings, which require signing in first. */
async function accept(c: C): Promise<Response> {
  const accepted = await found(c, (secret) => acceptInvitation(c.get("services").db, secret));
  if (!accepted) return html(c, <DeadInvitationPage />, 404);
  await publishSafely(c.get("services"));
  const { slug, role } = accepted;
  if (adminRoles.some((each) => each === role)) return c.redirect(`/settings/${slug}`, 303);
  return html(c, <JoinedPage invitation={accepted} />);
}
