import { type Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { authorizePath } from "../contract/connect-paths.ts";
import type { Refusal, RefusalName } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { isPlainHttp } from "../http/plain-http.ts";
import { refuseWhileClosed } from "../http/refuse-while-closed.ts";
import { requestLine } from "../http/request-line.ts";
import { report } from "../platform/log.ts";
import { publishedKeys } from "../platform/signing.ts";
import { failureOf } from "../platform/unavailable.ts";
import { brandApp } from "./brand/brand-app.tsx";
import { connectApp } from "./connect/connect-app.tsx";
import { invitationApp } from "./invitation/invitation-app.tsx";
import { limitUnknownSenders } from "./limit-unknown-senders.tsx";
import { type MessageOptions, notFoundMessage } from "./message.tsx";
import { cannotSave, messagePage, tryAgain, unexpected, wrongMethod } from "./message-page.tsx";
import type { PageApp } from "./page-app.ts";
import { reviewApp } from "./review/review-app.tsx";
import { isForeign, pageHeaders, privatePage } from "./security.ts";
import { settingsApp } from "./settings/settings-app.tsx";
import { signInApp } from "./sign-in/sign-in-app.tsx";
import { signOffApp, verifyApp } from "./verify/verify-app.tsx";

const keysPath = "/.well-known/jwks.json";

/** Verifiers cache the keys for an hour, so a new key is published before it is used to sign (docs/operations.md). */
const keysKeptSeconds = 3600;

/** Public documents that may be cached. */
const isPublic = (path: string): boolean => path === keysPath || path.startsWith("/brand/");

/** Whether a path belongs to a page; every other path belongs to the partner API. */
export const isPage = (path: string): boolean =>
  /^\/(?:review\/|(?:brand|invitations|sign-in|sign-out|settings|verify)(?:\/|$))/.test(path) ||
  path === keysPath ||
  path === authorizePath;

/** Serves everything that people open in a browser, except the static assets, which the platform serves. */
export function pages(servicesOf: (env: Env) => Services): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.use(requestId({ headerName: "" }), requestLine, async (c, next) => {
    c.set("services", servicesOf(c.env));
    await next();
    c.res.headers.set("X-Request-Id", c.get("requestId"));
  });
  app.use(pageHeaders);
  app.use(privatePage((c) => isPublic(c.req.path) && c.res.ok));
  app.use(async (c, next) => (isPlainHttp(c.req.url) ? messagePage(c, 403, httpsOnly) : next()));
  app.use(limitUnknownSenders);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (c, allowed) => notAllowed(c, allowed) }));
  app.use(async (c, next) => (c.req.method === "HEAD" ? notAllowed(c, ["GET"]) : next()));
  app.get(keysPath, (c) =>
    c.json(publishedKeys(c.get("services").signOffKeys), 200, {
      "Cache-Control": `public, max-age=${keysKeptSeconds}`,
      "Access-Control-Allow-Origin": "*",
    }),
  );
  app.use(async (c, next) => (isForeign(c) ? messagePage(c, 403, notItsOwnForm) : next()));
  app.route("/verify", verifyApp());
  app.use(refuseWhileClosed(closed));
  app.route("/verify", signOffApp());
  app.route("/review", reviewApp());
  app.route("/", signInApp());
  app.route("/invitations", invitationApp());
  app.route(authorizePath, connectApp());
  app.route("/settings", settingsApp());
  app.route("/brand", brandApp());
  app.notFound((c) => messagePage(c, 404, "workspace" in c.var ? noSuchPage : notFoundMessage));
  app.onError((error, c) => {
    report({ page: c.req.routePath }, error);
    const { name, status, alert, headers } = failureOf(error);
    if (status !== 503) return messagePage(c, 500, { ...unexpected, link: nextLink(c) });
    const said = writeRefusals.has(name) ? { ...cannotSave, text: alert } : outOfReach;
    return messagePage(c, status, { ...said, link: nextLink(c) }, headers);
  });
  return app;
}

/** Shown in a workspace's settings. */
const noSuchPage = {
  heading: "There is nothing here",
  text: "Check the address, or choose a page in the menu.",
};
const httpsOnly = { heading: "HTTPS only", text: "Open the same address with https:// instead." };
const outOfReach = {
  heading: "This is taking too long",
  text: "Nothing was lost. Try again in a moment.",
};
/** Refusals that only affect writes: reads still work. */
const writeRefusals: ReadonlySet<RefusalName> = new Set(["storage_full", "organization_is_moving"]);

/** Returns a link to the same page, or to the page that the form was on. */
function nextLink(c: Context): MessageOptions["link"] {
  if (c.req.method === "GET") return tryAgain(c);
  const { pathname, search } = new URL(c.req.url);
  const page = /^\/(?:review\/[^/]+|settings(?:\/[^/]+){0,2})/.exec(pathname)?.[0];
  return { text: "Go back", href: page ?? pathname + search };
}

const notItsOwnForm = {
  heading: "This form came from somewhere else",
  text: "Nothing was changed. Open the page and send the form from there.",
};

const closed = (c: Context, { alert, headers }: Refusal): Response =>
  messagePage(c, 503, { heading: "Closed for maintenance", text: alert }, headers);

function notAllowed(c: Context, allowed: readonly string[]): Response {
  c.header("Allow", allowed.filter((method) => method !== "HEAD").join(", "));
  return messagePage(c, 405, wrongMethod(c));
}
