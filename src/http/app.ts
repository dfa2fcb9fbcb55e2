import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { metadataPath, tokenPath } from "../contract/connect-paths.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { note, report } from "../platform/log.ts";
import { failureOf } from "../platform/unavailable.ts";
import { refuseToken, tokenHashOf } from "./check-caller.ts";
import { deprecationHeaders } from "./deprecations.ts";
import { documentation, documentationPaths, isDocumentation } from "./documentation.ts";
import { isUnknownToFront } from "./from-front.ts";
import { isPlainHttp } from "./plain-http.ts";
import { problemDetails } from "./problem-details.ts";
import { refuseWhileClosed } from "./refuse-while-closed.ts";
import { requestLine } from "./request-line.ts";
import { noteSubject, requestLog } from "./request-log.ts";
import { errorResponse } from "./responses.ts";
import type { Route } from "./route.ts";
import { senderOf } from "./sender-of.ts";
import { admitSender, countUnknownSender, isRefusedSender } from "./senders.ts";
import { sessionSecret } from "./session-cookie.ts";

type App = {
  Bindings: Env;
  Variables: { requestId: string; headers: Record<string, string | undefined> };
};

const preflightSeconds = 86_400;

/** The response headers that JavaScript on other origins can read. */
const exposedHeaders = [
  "RateLimit-Limit",
  "RateLimit-Policy",
  "RateLimit-Reset",
  "Retry-After",
  "X-Should-Retry",
  "X-Request-Id",
  "Server-Timing",
  "ETag",
  "Accept-Ranges",
  "Content-Range",
  "Deprecation",
  "Sunset",
];
const exposedNames = exposedHeaders.join();

/** Paths that a connecting app can also call from a browser. */
const ofConnecting: ReadonlySet<string> = new Set([tokenPath, metadataPath]);

/** Runs before each route's handler, after unknown paths and wrong methods have been rejected. */
export const whileOpen = refuseWhileClosed((_, refusal) => errorResponse(refusal));

/** Builds the partner API. Contract R1 gives the order of its checks. */
export function partnerApp(
  routes: readonly Route[],
  servicesOf: (env: Env) => Services,
  pagesForBrowsers: MiddlewareHandler,
): Hono<App> {
  const app = new Hono<App>();
  const methods = methodsByPath(routes);
  app.use(
    requestId({ headerName: "" }),
    requestLine,
    requestLog(servicesOf),
    everyAnswer,
    pagesForBrowsers,
    crossOrigin(methods),
    problemDetails,
    httpsOnly,
    deprecation,
  );
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: ({ req }, allowed) =>
        notAllowed(allowed.filter((method) => method !== "HEAD" || isDocumentation(req.path))),
    }),
  );
  for (const path of documentationPaths) {
    app.get(honoPath(path), (c) =>
      documentation(c.req.url, c.env, { hasSession: sessionSecret(c) !== undefined }),
    );
  }
  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), whileOpen, (c) =>
      // hono routes HEAD requests to the GET handler.
      c.req.method === "HEAD" ? notAllowed(methods.get(route.path) ?? []) : handle(route, c, servicesOf),
    );
  }
  app.notFound(() => errorResponse(refuse("not_found")));
  app.onError((error, c) => {
    report({ path: c.req.path }, error);
    return errorResponse(failureOf(error));
  });
  return app;
}

/** Adds the request id and the default Cache-Control to every response. */
const everyAnswer: MiddlewareHandler<App> = async (c, next) => {
  c.set("headers", { "X-Request-Id": c.get("requestId") });
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get("headers")))
    if (value !== undefined) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
};

/** Allows every Origin, including `null`, because partners authenticate with a token and not a cookie (contract R6). */
function crossOrigin(methods: ReadonlyMap<string, readonly string[]>): MiddlewareHandler<App> {
  let patterns: { pattern: URLPattern; known: readonly string[] }[] | undefined;
  const methodsOf = (url: string) => {
    // Built on the first preflight, so that it does not slow down the Worker's start-up.
    patterns ??= [...methods].map(([path, known]) => ({
      pattern: new URLPattern({ pathname: honoPath(path) }),
      known,
    }));
    return patterns.find(({ pattern }) => pattern.test(url))?.known;
  };
  const partnerCors = cors({
    origin: (origin) => origin,
    allowMethods: (_, c) => [...(methodsOf(c.req.url) ?? ["GET", "POST"]), "OPTIONS"],
    allowHeaders: ["authorization", "apikey", "content-type", "idempotency-key"],
    exposeHeaders: exposedHeaders,
    maxAge: preflightSeconds,
  });
  return async (c, next) => {
    if (!c.req.path.startsWith("/api-") && !ofConnecting.has(c.req.path)) return next();
    if (c.req.method === "OPTIONS") return partnerCors(c, next);
    await next();
    // hono's cors would set these headers before there is a response, and copy the response twice.
    const { headers } = c.res;
    const origin = c.req.header("Origin");
    if (origin !== undefined) headers.set("Access-Control-Allow-Origin", origin);
    headers.set("Access-Control-Expose-Headers", exposedNames);
    headers.append("Vary", "Origin");
  };
}

const httpsOnly: MiddlewareHandler<App> = async (c, next) =>
  isPlainHttp(c.req.url) ? errorResponse(refuse("https_required")) : next();

/** Adds headers to every response from a deprecated path, even a 405. Deprecated paths have no parameters. */
const deprecation: MiddlewareHandler<App> = (c, next) => {
  const headers = deprecationHeaders(c.env.DEPRECATIONS, c.req.path, Date.now());
  c.set("headers", { ...c.get("headers"), ...headers });
  return next();
};

async function handle(route: Route, c: Context<App>, servicesOf: (env: Env) => Services): Promise<Response> {
  const setHeaders = (headers: Record<string, string | undefined>) =>
    c.set("headers", { ...c.get("headers"), ...headers });
  const tokenHash = tokenHashOf(c.req.raw.headers, c.env.GATEWAY_PUBLIC_KEY);
  const address = senderOf(c.req.raw.headers);
  const services = servicesOf(c.env);
  // A token that may not be used from this address does not let its sender pass.
  const isShown = !(tokenHash instanceof Refusal || isRefusedSender(tokenHash, address));
  const passed = admitSender(address, isShown ? [tokenHash] : []);
  if (passed instanceof Refusal) return errorResponse(passed);
  if (tokenHash instanceof Refusal) {
    c.executionCtx.waitUntil(countUnknownSender(services, address));
    return errorResponse(tokenHash);
  }
  note({ route: route.path });
  noteSubject(c.req.param("id"));
  const request = {
    raw: c.req.raw,
    id: c.get("requestId"),
    params: c.req.param(),
    tokenHash,
    address,
    services,
    waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
    setHeaders,
  };
  return isUnknownToFront(c.req.raw, c.env) ? errorResponse(refuseToken(request)) : route.handle(request);
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map(documentationPaths.map((path): [string, string[]] => [path, ["GET", "HEAD"]]));
  for (const { path, method } of routes) {
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  }
  return methods;
}

const notAllowed = (methods: readonly string[]): Response =>
  errorResponse(refuse("method_not_allowed", {}, { Allow: methods.join(", ") }));

const honoPath = (template: string) => template.replaceAll(/\{(\w+)\}/g, ":$1");
