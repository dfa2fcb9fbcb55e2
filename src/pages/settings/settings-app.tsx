import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { withoutTrailingSlashes } from "../../contract/characters.ts";
import { limits } from "../../contract/limits.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { sessionOf } from "../../http/session-of.ts";
import { countSessionCall } from "../../http/session-window.ts";
import { note } from "../../platform/log.ts";
import type { OpenWorkspace } from "../../workspace/sessions/find-session.ts";
import { showPage } from "../layout.tsx";
import { notFoundMessage } from "../message.tsx";
import { messagePage } from "../message-page.tsx";
import { returnPathOf, signInFor } from "../sign-in/return-path.ts";
import { exportActivity } from "./activity-export.ts";
import { showAuditLog } from "./audit-log.tsx";
import { saveBrand, showBrand } from "./brand.tsx";
import { confirmChange, confirmedActions, postChange } from "./change-endpoint.tsx";
import { saveClient, showClient } from "./client.tsx";
import { showDeliveries } from "./deliveries.tsx";
import { replayOne, showOneDelivery } from "./delivery.tsx";
import { backfill, confirmBackfill, saveEdit, showEdit } from "./edit-endpoint.tsx";
import { postTest, showEndpoint } from "./endpoint.tsx";
import { exportWorkspace, showExport } from "./export.tsx";
import { confirmRemove, confirmRole, remove, saveMember, showMembers } from "./members.tsx";
import { postEndpoint, showNewEndpoint } from "./new-endpoint.tsx";
import { postToken, showNewToken } from "./new-token.tsx";
import { showOverview } from "./overview.tsx";
import type { SettingsPageApp } from "./page-context.ts";
import { showPlan } from "./plan.tsx";
import { saveReminders, showReminders } from "./reminders.tsx";
import { confirmReplay, replayMany } from "./replay.tsx";
import { showOneRequest } from "./request.tsx";
import { showRequests } from "./requests.tsx";
import { queryFailing } from "./responses.tsx";
import { confirmRevoke, revoke } from "./revoke-token.tsx";
import { confirmRoll, roll } from "./roll-token.tsx";
import { textOf } from "./settings-page.tsx";
import { saveAddresses, showAddresses } from "./token-addresses.tsx";
import { showTokens } from "./tokens.tsx";
import { showWebhooks } from "./webhooks.tsx";
import { WorkspacesPage } from "./workspaces-page.tsx";

/** Serves the settings to a workspace's owners and admins (contract S4), as forms. GET changes nothing. */
export function settingsApp(): Hono<SettingsPageApp> {
  const app = new Hono<SettingsPageApp>();
  app.use(withoutSlash, signedIn, counted, limited);
  app.get("/", showWorkspaces);
  app.use("/:slug/*", inWorkspace);
  app.get("/:slug", showOverview);
  const of = new Hono<SettingsPageApp>();
  of.get("/tokens", showTokens).post(postToken);
  of.get("/tokens/new", (c) => showNewToken(c));
  of.get("/tokens/:id/roll", confirmRoll).post(roll);
  of.get("/tokens/:id/addresses", (c) => showAddresses(c)).post(saveAddresses);
  of.get("/tokens/:id/revoke", confirmRevoke).post(revoke);
  of.get("/requests", showRequests);
  of.get("/requests/:id", showOneRequest);
  of.get("/webhooks", showWebhooks).post(postEndpoint);
  of.get("/webhooks/new", (c) => showNewEndpoint(c));
  of.get("/webhooks/:id", (c) => showEndpoint(c));
  of.get("/webhooks/:id/edit", (c) => showEdit(c)).post(saveEdit);
  of.get("/webhooks/:id/backfill", confirmBackfill).post(backfill);
  of.post("/webhooks/:id/test", postTest);
  of.post("/webhooks/:id/enable", (c) => postChange(c, "enable"));
  for (const action of confirmedActions.options) {
    of.get(`/webhooks/:id/${action}`, (c) => confirmChange(c, action)).post((c) => postChange(c, action));
  }
  of.get("/deliveries", showDeliveries);
  of.get("/deliveries/replay", confirmReplay).post(replayMany);
  of.get("/deliveries/:id", (c) => showOneDelivery(c));
  of.post("/deliveries/:id/replay", replayOne);
  of.get("/members", (c) => showMembers(c)).post(saveMember);
  of.get("/members/:id/role", confirmRole);
  of.get("/members/:id/remove", confirmRemove).post(remove);
  of.get("/clients/:id", (c) => showClient(c)).post(saveClient);
  of.get("/brand", (c) => showBrand(c)).post(saveBrand);
  of.get("/reminders", (c) => showReminders(c)).post(saveReminders);
  of.get("/plan", showPlan);
  of.get("/audit-log", showAuditLog);
  of.get("/audit-log/export", exportActivity);
  of.get("/export", showExport).post(exportWorkspace);
  app.route("/:slug", of);
  return app;
}

/** Redirects a URL with a trailing slash to the one without. */
const withoutSlash: MiddlewareHandler<SettingsPageApp> = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  if (c.req.method !== "GET" || !pathname.endsWith("/")) return next();
  return c.redirect(withoutTrailingSlashes(pathname) + search, 303);
};

/** Limits the size of forms. A logo is larger than typed fields. */
const limited: MiddlewareHandler<SettingsPageApp> = (c, next) =>
  (c.req.path.endsWith("/brand") ? limitedTo.logo : limitedTo.text)(c, next);

const limitTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) => messagePage(c, 413, { heading: "Too much at once", text: "This form is too long." }),
  });

const limitedTo = {
  text: limitTo(sessionLimits.formBytes),
  logo: limitTo(limits.logoDecodedBytes + sessionLimits.formBytes),
};

/** A form posted without a session is not replayed after sign-in. */
const signedIn: MiddlewareHandler<SettingsPageApp> = async (c, next) => {
  const session = await sessionOf(c, c.get("services"));
  if (session) {
    c.set("session", session);
    return next();
  }
  const { pathname, search } = new URL(c.req.url);
  if (c.req.method === "GET") return c.redirect(signInFor(returnPathOf(pathname + search)), 303);
  const section = pathname.split("/").slice(0, 4).join("/");
  return messagePage(c, 401, {
    heading: "You are signed out",
    text: "Nothing was changed. Sign in and try again.",
    link: { text: "Sign in", href: signInFor(returnPathOf(section)) },
  });
};

/** Once the workspace's limit is reached, pages do not read or change anything. */
const counted: MiddlewareHandler<SettingsPageApp> = async (c, next) => {
  const session = c.get("session");
  const slug = c.req.path.split("/")[2];
  const workspace = session.workspaces.find((one) => one.slug === slug && one.cell === undefined);
  if (workspace) c.set("workspace", workspace);
  const over = await countSessionCall(c.get("services"), session, workspace);
  if (!over) return next();
  note({ code: over.name });
  const said = { heading: "Too much at once", text: textOf(over), role: "alert" } as const;
  return messagePage(c, 429, said, over.headers);
};

/** Returns a 404 for another workspace, whether or not it exists. */
const inWorkspace: MiddlewareHandler<SettingsPageApp> = async (c, next) => {
  const workspace = c.get("workspace") as OpenWorkspace | undefined;
  if (!workspace)
    return messagePage(c, 404, { ...notFoundMessage, text: "You have no workspace at this address." });
  note({ organization_id: workspace.id });
  // The page does not wait for this query, because its own reads take longer.
  if (c.req.method === "GET") c.set("failing", queryFailing(c));
  return next();
};

async function showWorkspaces(c: Context<SettingsPageApp>): Promise<Response> {
  const session = c.get("session");
  const [only, ...others] = session.workspaces;
  if (only && others.length === 0) return c.redirect(`/settings/${only.slug}`, 303);
  return showPage(c, <WorkspacesPage session={session} />);
}
