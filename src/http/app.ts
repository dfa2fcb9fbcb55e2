import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import { Refusal, refuse } from "../contract/failures.ts";
import { report } from "../platform/report.ts";
import { CountedError, refused } from "./answers.ts";
import { identify } from "./authenticate.ts";
import { allowOrigin, preflight } from "./cors.ts";
import { deprecationHeaders } from "./deprecations.ts";
import { documentation, documentationPaths } from "./documentation.ts";
import { handleRead } from "./handle-read.ts";
import { handleWrite } from "./handle-write.ts";
import type { Route } from "./operation.ts";
import type { Services } from "./services.ts";

type C = Context<{ Bindings: Env }>;
type Fetch = (request: Request, env: Env, execution: ExecutionContext) => Promise<Response>;

const plainHttp = /^http:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$))/;

/** The partner API: the order of its refusals is CONTRACT 1's. Here, what holds for every answer. */
export function partnerApi(routes: readonly Route[], servicesOf: (env: Env) => Services): { fetch: Fetch } {
  const app = router(routes, servicesOf);
  const answer = async (request: Request, path: string, env: Env, execution: ExecutionContext) => {
    if (request.method !== "OPTIONS" && plainHttp.test(request.url)) return refused(refuse("https_required"));
    if (request.method === "HEAD") return unanswered(routes, path);
    return app.fetch(request, env, execution);
  };
  return {
    async fetch(request, env, execution) {
      const requestId = crypto.randomUUID();
      const path = getPath(request);
      const response = await answer(request, path, env, execution).catch((thrown) => {
        const { cause, headers } = thrown instanceof CountedError ? thrown : { cause: thrown, headers: {} };
        report({ request_id: requestId, path }, cause);
        return refused(refuse("unexpected"), headers);
      });
      const { headers } = response;
      headers.set("X-Request-Id", requestId);
      if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
      if (path.startsWith("/api-")) allowOrigin(headers, request.headers.get("origin"));
      return response;
    },
  };
}

/** One handler a request and no middleware: hono then calls it without composing a chain. */
function router(routes: readonly Route[], servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), async (c) => {
      const deprecation = deprecationHeaders(c.env.DEPRECATIONS, route.path);
      const answer = await handle(route, c, servicesOf);
      for (const [name, value] of Object.entries(deprecation)) answer.headers.set(name, value);
      return answer;
    });
  }
  for (const path of documentationPaths) {
    app.get(honoPath(path), (c) => documentation(c.req.url, c.env.DOCS));
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.options(honoPath(path), () => preflight(methods));
  }
  app.options("*", (c) =>
    c.req.path.startsWith("/api-") ? preflight(["GET", "POST"]) : unanswered(routes, c.req.path),
  );
  app.notFound((c) => unanswered(routes, c.req.path));
  app.onError((error) => {
    throw error;
  });
  return app;
}

async function handle(route: Route, c: C, servicesOf: (env: Env) => Services): Promise<Response> {
  const tokenHash = identify(c.req.raw.headers, c.env.GATEWAY_PUBLIC_KEY);
  if (tokenHash instanceof Refusal) return refused(tokenHash);
  const params = c.req.param();
  if (route.kind === "read")
    return handleRead(route, tokenHash, { params, query: route.query && c.req.query() }, c.env);
  return handleWrite(route, tokenHash, c.req.raw, params, servicesOf(c.env), c.env, c.executionCtx);
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>(documentationPaths.map((path) => [path, ["GET"]]));
  for (const { path, method } of routes) {
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  }
  return methods;
}

/** A path with another method is a 405, any other a 404. HEAD is a method of no route. */
function unanswered(routes: readonly Route[], path: string): Response {
  for (const [template, methods] of methodsByPath(routes)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    if (pattern.test(path)) return refused(refuse("method_not_allowed", {}, { Allow: methods.join(", ") }));
  }
  return refused(refuse("not_found"));
}

const honoPath = (template: string) => template.replaceAll(/\{(\w+)\}/g, ":$1");
