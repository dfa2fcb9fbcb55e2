import { afterAll, beforeAll } from "vitest";
import { type PartnerApi, partnerApi } from "../../client/src/index.ts";
import { type AdminConnection, openAdmin } from "../../scripts/admin/connection.ts";
import { type LocalServer, stateAt } from "../../scripts/local/state.ts";
import { type Service, startService, stateDirectory } from "../operations/service.ts";
import { installPackage } from "./installed.ts";

export interface Partner {
  server: LocalServer;
  stateDirectory: string;
  /** Where the package is installed. */
  directory: string;
  api: PartnerApi;
  clientWith(changes: { token: string }): PartnerApi;
  /** Runs an admin operation in the demo workspace; it must not be refused. */
  admin(operation: string, fields: Record<string, string>): Promise<Record<string, string>>;
}

/** A partner of the service as `npm start` runs it, for all tests of a file: call it inside them. */
export function partnerOfService(): () => Partner {
  const state = stateDirectory();
  let service: Service;
  let connection: AdminConnection;
  let installed: Awaited<ReturnType<typeof installPackage>>;
  let partner: Partner;

  beforeAll(async () => {
    [service, installed] = await Promise.all([startService(state.directory), installPackage()]);
    connection = await openAdmin(stateAt(state.directory));
    const { base_url: baseUrl, apikey, token } = service.server;
    const clientWith = (changes: { token?: string }) => partnerApi({ baseUrl, apikey, token, ...changes });
    const admin: Partner["admin"] = async (operation, fields) => {
      const outcome = await connection.run(operation, { organization: "demo", ...fields });
      if (!outcome.ok) throw new Error(`${operation}: ${outcome.message}`);
      return outcome.result as Record<string, string>;
    };
    // More requests a minute than the tests make.
    await admin("set-plan", { plan: "agency" });
    partner = {
      server: service.server,
      stateDirectory: state.directory,
      directory: installed.directory,
      api: clientWith({}),
      clientWith,
      admin,
    };
  });

  afterAll(async () => {
    await connection?.close();
    await service?.end();
    installed?.remove();
    state.remove();
  });
  return () => partner;
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of list) found.push(record);
  return found;
}
