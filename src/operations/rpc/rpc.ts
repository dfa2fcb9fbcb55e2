import { type Context, Hono, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import * as z from "zod";
import { asSlugOrId } from "../../contract/fields.ts";
import { isRecord } from "../../contract/is-record.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import type { Services } from "../../core/services.ts";
import { isPlainHttp } from "../../http/plain-http.ts";
import { readBody } from "../../http/read-body.ts";
import { refuseWhileClosed } from "../../http/refuse-while-closed.ts";
import { requestLine } from "../../http/request-line.ts";
import { senderOf } from "../../http/sender-of.ts";
import { admitSender, countUnknownSender } from "../../http/senders.ts";
import { sessionSecret } from "../../http/session-cookie.ts";
import { sessionOf } from "../../http/session-of.ts";
import { countSessionCall } from "../../http/session-window.ts";
import { note, report } from "../../platform/log.ts";
import { secretHash } from "../../platform/secret.ts";
import { failureOf } from "../../platform/unavailable.ts";
import type { OpenWorkspace, Session } from "../../workspace/sessions/find-session.ts";
import type { Fields } from "../from-text.ts";
import type { AdminOperation } from "../operation.ts";
import { operations } from "../operations.ts";
import { runOperation } from "../run-operation.ts";
import { knownOrigins } from "./cross-origin.ts";
import { refusedCall } from "./refused-call.ts";

interface App {
  Bindings: Env;
  Variables: { requestId: string };
}
type C = Context<App>;

const documentPath = "/rpc/openapi.json";

/** Serves the admin operations over HTTP to signed-in owners and admins (contract S9). */
export function rpc(servicesOf: (env: Env) => Services): Hono<App> {
  const app = new Hono<App>();
  app.use(requestId({ headerName: "" }), requestLine, everyAnswer, httpsOnly);
  app.use(knownOrigins((c) => servicesOf(c.env).browserOrigins));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (_, allowed) => notAllowed(allowed) }));
  app.get("/rpc", async (c) => {
    const asset = await servicesOf(c.env).assets.fetch(new URL(documentPath, c.req.url));
    if (!asset.ok) return refusedCall(refuse("operations_not_listed"));
    return new Response(asset.body, { headers: { "Content-Type": "application/json; charset=utf-8" } });
  });
  const whileOpen = refuseWhileClosed(
    (_, refusal) => refusedCall(refusal),
    (c) => operationOf(nameOf(c.req.param("operation") ?? ""))?.reads === true,
  );
  app.post("/rpc/:operation", whileOpen, (c) => call(c, servicesOf(c.env)));
  app.notFound(() => refusedCall(refuse("nothing_here")));
  app.onError((error, c) => {
    report({ path: c.req.path }, error);
    return refusedCall(failureOf(error));
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
  isPlainHttp(c.req.url) ? refusedCall(refuse("call_over_plain_http")) : next();

const notAllowed = (methods: readonly string[]): Response => {
  const allowed = methods.filter((method) => method !== "HEAD").join(", ");
  return refusedCall(refuse("method_not_allowed", {}, { Allow: allowed }));
};

async function call(c: C, services: Services): Promise<Response> {
  const address = senderOf(c.req.raw.headers);
  const secret = sessionSecret(c);
  const passed = admitSender(address, secret ? [secretHash(secret)] : []);
  if (passed instanceof Refusal) return refusedCall(passed);
  const session = await sessionOf(c, services);
  if (!session) {
    c.executionCtx.waitUntil(countUnknownSender(services, address));
    return refusedCall(refuse("not_signed_in"));
  }
  const result = await run(c, services, session);
  return result instanceof Refusal ? refusedCall(result) : Response.json(result);
}

/** Always passes an actor, because a call without one would run as the workspace's owner. */
async function run(c: C, services: Services, session: Session): Promise<object | Refusal> {
  const parsed = await readCall(c, session);
  const over = await countSessionCall(services, session, parsed instanceof Refusal ? null : parsed.workspace);
  if (over) return over;
  if (parsed instanceof Refusal) return parsed;
  const { name, fields, workspace } = parsed;
  if (workspace) note({ organization_id: workspace.id });
  const call = {
    name,
    fields,
    organization: workspace?.id,
    actor: workspace?.email ?? session.email,
    key: c.req.header("idempotency-key"),
    requestId: c.get("requestId"),
  };
  return runOperation(call, services, (work) => c.executionCtx.waitUntil(work));
}

/** Parses a call. `workspace` is null for an operation outside any workspace. */
async function readCall(
  c: C,
  session: Session,
): Promise<{ name: string; fields: Fields; workspace: OpenWorkspace | null } | Refusal> {
  const name = nameOf(c.req.param("operation") ?? "");
  const body = await readBody(c.req.raw, { body: z.object({}), maximumBodyBytes: sessionLimits.formBytes });
  if (body instanceof Refusal) return body;
  if (!isRecord(body.json)) return refuse("body_not_an_object");
  const { organization, ...fields } = body.json;
  const operation = operationOf(name);
  if (!operation) return refuse("operation_not_found");
  note({ route: `/rpc/${name.replaceAll("-", "_")}` });
  const workspace = operation.kind === "workspace" ? chooseWorkspace(session, operation, organization) : null;
  return workspace instanceof Refusal ? workspace : { name, fields, workspace };
}

const operationOf = (name: string): AdminOperation | undefined =>
  Object.hasOwn(operations, name) ? operations[name] : undefined;

/** Returns an operation's name: `create_api_token` runs `create-api-token`. RPC does not accept names with hyphens. */
const nameOf = (path: string): string => (/^[a-z_]+$/.test(path) ? path.replaceAll("_", "-") : "");

/** Returns the named workspace, or the session's only one. Responses do not reveal whether other workspaces exist. */
function chooseWorkspace(
  { workspaces }: Session,
  operation: AdminOperation & { kind: "workspace" },
  named: unknown,
): OpenWorkspace | Refusal {
  const [only, ...others] = workspaces;
  const slugs = workspaces.map(({ slug }) => slug);
  if (named === undefined) {
    return only && others.length === 0
      ? only
      : refuse("organization_missing", { hint: `one of ${slugs.join(", ")}` });
  }
  if (typeof named !== "string") return refuse("organization_not_a_text", { slugs });
  const idOrSlug = asSlugOrId(named);
  const found = workspaces.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug);
  return found ?? refuse("admins_only", { action: operation.action });
}
