import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/routes.ts";
import { type CallOptions, call } from "./partner.ts";
import { makeRecords, type Records } from "./records.ts";
import type { Workspace } from "./workspace.ts";

const collections = ["clients", "projects", "time-entries", "invoices", "deliverables"].map(
  (collection) => `/api-v1/${collection}`,
);

/** Every route with its name, such as `GET /api-v1/clients`, for parameterized tests. */
export const namedRoutes = routes.map((route) => ({
  name: `${route.method.toUpperCase()} ${route.path}`,
  route,
}));
export const writeRoutes = namedRoutes.filter(({ route }) => route.kind === "write");
export const keyedRoutes = writeRoutes.filter(({ route }) => route.kind === "write" && route.idempotent);
export const listRoutes = namedRoutes.filter(
  ({ route }) => collections.includes(route.path) && route.kind === "read",
);

export const pathTo = (route: Route, id: string, n = "1"): string =>
  route.path.replace("{id}", id).replace("{n}", n);

const recordOf: Record<string, keyof Records> = {
  projects: "project_id",
  "time-entries": "time_entry_id",
  invoices: "invoice_id",
  deliverables: "deliverable_id",
};

/** A request that succeeds in the records' workspace: the route's documented example with real ids. */
export function validRequest(
  route: Route,
  records: Records,
): { path: string; body?: Record<string, unknown> } {
  const collection = route.path.split("/")[2] ?? "";
  const record = route.path.endsWith("/sign-off") ? "signed_deliverable_id" : recordOf[collection];
  const path = pathTo(route, records[record ?? "client_id"]);
  if (route.kind === "read") return { path };
  const references = ["client_id", "project_id", "deliverable_id"] as const;
  const body = { ...(route.examples.body as Record<string, unknown>) };
  for (const field of references) if (field in body) body[field] = records[field];
  return { path, body };
}

const recordsOf = new WeakMap<Workspace, Records>();

/** Sends a valid request to a route, with changes from the test. Writes with a key get a new one. */
export async function ask(
  route: Route,
  workspace: Workspace,
  changes: CallOptions = {},
  records?: Records,
): Promise<Response> {
  const known = records ?? recordsOf.get(workspace) ?? (await makeRecords(workspace));
  recordsOf.set(workspace, known);
  const { path, body } = validRequest(route, known);
  const keyed = route.kind === "write" && route.idempotent && !changes.headers?.["idempotency-key"];
  return call(workspace, path, {
    method: route.method.toUpperCase(),
    ...(body === undefined ? {} : { body }),
    ...(keyed ? { key: crypto.randomUUID() } : {}),
    ...changes,
  });
}

export const successOf = (route: Route): number => (route.kind === "write" ? route.status : 200);
