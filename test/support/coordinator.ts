import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

export interface ClaimRow extends Record<string, SqlStorageValue> {
  key: string;
  fingerprint: string;
  answer: string | null;
  lease_ends_ms: number;
  claimed_ms: number;
}

export const coordinatorStub = ({ organizationId }: { organizationId: string }) =>
  env.ORGANIZATION_COORDINATOR.getByName(organizationId);

/** Runs SQL in an organization's coordinator, for what only a crash or a month can bring about. */
export const inCoordinator = (
  workspace: { organizationId: string },
  sql: string,
  ...values: SqlStorageValue[]
): Promise<ClaimRow[]> =>
  runInDurableObject(coordinatorStub(workspace), (_, state) =>
    state.storage.sql.exec<ClaimRow>(sql, ...values).toArray(),
  );

/** Waits until the coordinator has the answers of all finished requests: they arrive after the answer has left. */
export async function completed(workspace: { organizationId: string }): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const open = await inCoordinator(workspace, "SELECT * FROM claim WHERE answer IS NULL");
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("a claim was never completed");
}
