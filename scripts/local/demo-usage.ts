import type { CoordinatorRow } from "../../src/contract/coordinator-rows.ts";
import type { OrganizationCoordinator } from "../../src/durable/organization-coordinator.ts";
import { besideService, type Entrypoint } from "../admin/connection.ts";
import { requestsBefore, usedTokens } from "../demo-workspace/usage.ts";
import { demoSlug } from "../demo-workspace.ts";
import type { State } from "./state.ts";

const limitOfDemo = 60;

/** Writes usage and a request log to a new demo workspace's coordinator. The service must be running. */
export async function keepDemoUsage(state: State): Promise<void> {
  const miniflare = await besideService(state, {
    durableObjects: {
      COORDINATORS: { className: "OrganizationCoordinator", scriptName: "partner-api", useSQLite: true },
    },
  });
  try {
    const { ADMIN, COORDINATORS } = await miniflare.getBindings<{
      ADMIN: Entrypoint;
      COORDINATORS: DurableObjectNamespace<OrganizationCoordinator>;
    }>();
    const listed = async <T>(operation: string, fields: object = {}): Promise<T[]> => {
      const outcome = await ADMIN.run(operation, { organization: demoSlug, ...fields });
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.result as T[];
    };
    const workspaces = await listed<{ id: string; slug: string }>("list-organizations");
    const tokens = await listed<{ id: string; name: string }>("list-api-tokens");
    const coordinator = COORDINATORS.getByName(workspaces.find(({ slug }) => slug === demoSlug)?.id ?? "");
    const settled = await listed<{ settled_at: string }>("list-webhook-deliveries", {
      status: "delivered",
      limit: 200,
    });
    const byDay = Map.groupBy(settled, ({ settled_at }) => settled_at.slice(0, "2026-01-31".length));
    const usage = [...byDay].map(([day, { length: deliveries }]): CoordinatorRow => {
      return { kind: "usage", day, requests: {}, deliveries };
    });
    await coordinator.importRows(usage, false);
    const used = tokens.filter(({ name }) => usedTokens.includes(name));
    const requests = used
      .flatMap(({ id, name }) => requestsBefore(new Date(), name, id))
      .sort((left, right) => (left.at < right.at ? -1 : 1));
    await coordinator.logRequests(requests);
    for (const { id } of used) await coordinator.count(limitOfDemo, id);
  } finally {
    await miniflare.dispose();
  }
}
