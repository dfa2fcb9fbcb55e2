import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Child } from "hono/jsx";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { statusOfOperation } from "../../http/responses.ts";
import { sessionOf } from "../../http/session-of.ts";
import { countSessionCall } from "../../http/session-window.ts";
import { note } from "../../platform/log.ts";
import {
  type ConnectionRequest,
  readRequest,
  redirectTo,
  type WrongRequest,
} from "../../webhooks/connections/connection-request.ts";
import { createCode, refuseWebhook } from "../../webhooks/connections/create-code.ts";
import type { OpenWorkspace, Session } from "../../workspace/sessions/find-session.ts";
import { showPage } from "../layout.tsx";
import { messagePage } from "../message-page.tsx";
import type { PageApp } from "../page-app.ts";
import { returnPathOf, signInFor } from "../sign-in/return-path.ts";
import { type Choice, ConnectPage, WrongRequestPage } from "./connect-page.tsx";

type C = Context<PageApp>;

/**
 * Serves the page where an admin connects an app (contract J2-J4). It redirects only when a signed-in person presses a
 * button, and only to a URL that the app has registered.
 */
export function connectApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/", showRequest);
  app.post("/", limited, decide);
  return app;
}

const limited = bodyLimit({
  maxSize: sessionLimits.formBytes,
  onError: (c) => messagePage(c, 413, { heading: "Too much at once", text: "This form is too long." }),
});

const html = (c: C, page: Child, status: 200 | 400 = 200): Response => showPage(c, page, status);

const refused = (c: C, page: Child, refusal: Refusal): Response => {
  note({ code: refusal.name });
  return showPage(c, page, statusOfOperation(refusal), { ...refusal.headers }) as Response;
};

const invalid = {
  heading: "This request can't be trusted",
  text:
    "Its addresses are missing or don't belong to one app, so you can't be sent back to it. Go back to the app and " +
    "start again, or tell its makers.",
  role: "alert",
} as const;

/** A connection request and the signed-in person who opened it. */
interface PendingConnection {
  session: Session;
  request: ConnectionRequest | WrongRequest;
}

/** Reads the request and the session. Returns a Response if the page cannot be shown. */
async function readConnectionRequest(
  c: C,
  isSignedOut: () => Response,
): Promise<PendingConnection | Response> {
  const request = readRequest(new URL(c.req.url).searchParams);
  if (!request) return messagePage(c, 400, invalid);
  const services = c.get("services");
  const session = await sessionOf(c, services);
  if (!session) return isSignedOut();
  const over = await countSessionCall(services, session, null);
  if (over) {
    note({ code: over.name });
    const said = { heading: "Too much at once", text: over.text, role: "alert" } as const;
    return messagePage(c, 429, said, over.headers);
  }
  return { session, request: await judge(c, session, request) };
}

/** Turns a request into an error if it would be refused regardless of what the admin chose. */
async function judge(
  c: C,
  { workspaces }: Session,
  request: ConnectionRequest | WrongRequest,
): Promise<ConnectionRequest | WrongRequest> {
  if ("error" in request) return request;
  const { app, state } = request;
  if (!workspaces.some(({ api_access }) => api_access))
    return {
      app,
      state,
      error: "access_denied",
      why: "Connecting an app requires a paid plan: Solo, Studio or Agency.",
    };
  const refusal = await refuseWebhook(c.get("services"), request);
  const why = `Its webhook address can't be used. ${refusal?.text}.`;
  return refusal ? { app, state, error: "invalid_request", why } : request;
}

const signedOut = { heading: "You are signed out", text: "Nothing was connected. Sign in and try again." };
const signInLink = (c: C) => ({ text: "Sign in", href: signInFor(returnPathOf(here(c))) });

const here = (c: C): string => new URL(c.req.url).pathname + new URL(c.req.url).search;

async function showRequest(c: C): Promise<Response> {
  const pending = await readConnectionRequest(
    c,
    () => c.redirect(signInFor(returnPathOf(here(c))), 303) as Response,
  );
  return pending instanceof Response ? pending : showPending(c, pending);
}

function showPending(c: C, { session, request }: PendingConnection, choice?: Choice): Response {
  if ("error" in request) {
    note({ code: request.error });
    return html(c, <WrongRequestPage request={request} session={session} action={here(c)} />, 400);
  }
  const page = <ConnectPage {...{ request, session, choice }} action={here(c)} />;
  return choice ? refused(c, page, choice.refusal) : html(c, page);
}

/** Handles `Connect` and `Cancel`. The form's URL contains the request, which is checked again. */
async function decide(c: C): Promise<Response> {
  const pending = await readConnectionRequest(c, () =>
    messagePage(c, 401, { ...signedOut, link: signInLink(c) }),
  );
  if (pending instanceof Response) return pending;
  const { session, request } = pending;
  const form = await c.req.formData().catch(() => new FormData());
  const services = c.get("services");
  const answer = (parameters: Record<string, string>) =>
    c.redirect(redirectTo(request, new URL(services.applicationUrl).origin, parameters), 303) as Response;
  if (form.has("cancel"))
    return answer(
      "error" in request
        ? { error: request.error, error_description: request.why }
        : { error: "access_denied" },
    );
  if ("error" in request) return showPending(c, pending);
  const ticked = form.getAll("scope");
  const scopes = request.scopes.filter((scope) => ticked.includes(scope));
  const workspace = chosenWorkspace(session, form.get("workspace"));
  const again = (refusal: Refusal) =>
    showPending(c, pending, { refusal, scopes, workspace: workspace?.slug });
  if (!workspace) return again(refuse("no_workspace_chosen"));
  note({ organization_id: workspace.id });
  if (scopes.length === 0) return again(refuse("no_scope_chosen"));
  const code = await createCode(services, request, { workspace, scopes });
  return code instanceof Refusal ? again(code) : answer({ code });
}

/** Returns the session's only workspace, or the workspace that the form names. */
function chosenWorkspace({ workspaces }: Session, slug: unknown): OpenWorkspace | undefined {
  const [only, ...others] = workspaces;
  return others.length === 0 && slug === null
    ? only
    : workspaces.find((workspace) => workspace.slug === slug && workspace.cell === undefined);
}
