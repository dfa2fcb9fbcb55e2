import { type Context, Hono, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import * as z from "zod";
import type { Fields } from "../admin/from-text.ts";
import type { AdminOperation } from "../admin/operation.ts";
import { operations } from "../admin/operations.ts";
import { runOperation } from "../admin/run-operation.ts";
import { AdminRefusal, adminsOnly, deny, notFound, refusalStatus } from "../contract/admin-refusals.ts";
import { asSlugOrId } from "../contract/fields.ts";
import { sessionLimits } from "../contract/session-limits.ts";
import { findSession, type OpenWorkspace, type Session } from "../domain/sessions/find-session.ts";
import { isPlainHttp } from "../http/plain-http.ts";
import { readBody } from "../http/read-body.ts";
import { requestLine } from "../http/request-line.ts";
import { senderOf } from "../http/sender-of.ts";
import { sessionSecret } from "../http/session-cookie.ts";
import { countUnknownSender, refuseBlocked } from "../http/unknown-senders.ts";
import { note, report } from "../platform/log.ts";
import { knownOrigins } from "./cross-origin.ts";
import { refusedCall } from "./refused-call.ts";
import type { RpcServices } from "./rpc-services.ts";

interface App {
  Bindings: Env;
  Variables: { requestId: string };
}
type C = Context<App>;

const documentPath = "/rpc/openapi.json";

/**
 * The operations of admins over HTTP, for signed-in owners and admins (CONTRACT 11). The declarations are the command
 * line's.
 */
export function rpc(servicesOf: (env: Env) => RpcServices): Hono<App> {
  const app = new Hono<App>();
  app.use(requestId({ headerName: "" }), requestLine, everyAnswer, httpsOnly);
  app.use(knownOrigins((c) => servicesOf(c.env).browserOrigins));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (_, allowed) => notAllowed(allowed) }));
  app.get("/rpc", async (c) => {
    const asset = await servicesOf(c.env).assets.fetch(new URL(documentPath, c.req.url));
    if (!asset.ok) return refusedCall(404, "There is no list of operations here");
    return new Response(asset.body, { headers: { "Content-Type": "application/json; charset=utf-8" } });
  });
  app.post("/rpc/:operation", (c) => call(c, servicesOf(c.env)));
  app.notFound(() => refusedCall(404, "There is nothing here", "GET /rpc lists the operations"));
  app.onError((error, c) => {
    report({ path: c.req.path }, error);
    return refusedCall(500, "Unexpected error");
  });
  return app;
}

const everyAnswer: MiddlewareHandler<App> = async (c, next) => {
  await next();
  c.res = new Response(c.res.body, c.res);
  c.res.headers.set("X-Request-Id", c.get("requestId"));
  c.res.headers.set("Cache-Control", "private, no-store");
};

const httpsOnly: MiddlewareHandler<App> = async (c, next) =>
  isPlainHttp(c.req.url) ? refusedCall(403, "Call it over HTTPS") : next();

function notAllowed(methods: readonly string[]): Response {
  const answer = refusedCall(405, "Method not allowed");
  answer.headers.set("Allow", methods.filter((method) => method !== "HEAD").join(", "));
  return answer;
}

async function call(c: C, services: RpcServices): Promise<Response> {
  const address = senderOf(c.req.raw.headers);
  const blocked = refuseBlocked(address);
  if (blocked) {
    note({ code: blocked.name });
    return refusedCall(429, String(blocked.body().error), null, blocked.headers);
  }
  const session = await findSession(services.db, sessionSecret(c));
  if (!session) {
    c.executionCtx.waitUntil(countUnknownSender(services, address));
    return refusedCall(401, "Nobody is signed in", "sign in at /sign-in");
  }
  const result = await run(c, services, session);
  if (!(result instanceof AdminRefusal)) return Response.json(result);
  note({ code: result.reason });
  return refusedCall(refusalStatus[result.reason], result.message, result.hint);
}

/** Never without an actor: the session's own member of the workspace that it asks for. */
async function run(c: C, services: RpcServices, session: Session): Promise<object | AdminRefusal> {
  const name = nameOf(c.req.param("operation") ?? "");
  const body = await readBody(c.req.raw, { body: z.object({}), maximumBodyBytes: sessionLimits.formBytes });
  if (body.refusal) return deny(String(body.refusal.body().error));
  const given = z.record(z.string(), z.unknown()).safeParse(body.value);
  if (!given.success) return deny("The body must be an object of fields");
  const { organization, ...fields } = given.data as Fields;
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) return notFound("There is no such operation", "GET /rpc lists them");
  note({ route: `/rpc/${name.replaceAll("-", "_")}` });
  const workspace = operation.kind === "workspace" ? chooseWorkspace(session, operation, organization) : null;
  if (workspace instanceof AdminRefusal) return workspace;
  if (workspace) note({ organization_id: workspace.id });
  const call = { name, fields, organization: workspace?.id, actor: workspace?.email ?? session.email };
  return runOperation(call, services, (work) => c.executionCtx.waitUntil(work));
}

/** `create_api_token` is `create-api-token`; a name with a dash is none of RPC's. */
const nameOf = (path: string): string => (/^[a-z_]+$/.test(path) ? path.replaceAll("_", "-") : "");

/** The session's only workspace, or the one of several that is named. No answer tells whether others exist. */
function chooseWorkspace(
  { workspaces }: Session,
  operation: AdminOperation & { kind: "workspace" },
  named: unknown,
): OpenWorkspace | AdminRefusal {
  const [only, ...others] = workspaces;
  const slugs = workspaces.map(({ slug }) => slug).join(", ");
  if (named === undefined) {
    return only && others.length === 0
      ? only
      : deny("organization is required (slug or id)", `one of ${slugs}`);
  }
  if (typeof named !== "string") return deny("organization must be a slug or id", `one of ${slugs}`);
  const idOrSlug = asSlugOrId(named);
  const found = workspaces.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug);
  return found ?? adminsOnly(operation.action);
}
