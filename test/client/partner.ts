import { afterAll, beforeAll } from "vitest";
import { type PartnerApi, partnerApi } from "../../client/src/index.ts";
import type { LocalServer } from "../../scripts/local/state.ts";
import { type OpenService, openService } from "../operations/open-service.ts";
import { installPackage } from "./installed.ts";

export interface Partner extends OpenService {
  directory: string;
  api: PartnerApi;
  clientWith(changes: { token: string }): PartnerApi;
}

/**
 * Sets up a partner of a service run by `npm start`, shared by all tests in a file. Call the returned function only
 * inside tests. `found` creates the workspace and returns its credentials; the default is the demo workspace.
 */
export function partnerOfService(
  found = async ({ server }: OpenService): Promise<LocalServer> => server,
): () => Partner {
  let installed: Awaited<ReturnType<typeof installPackage>>;
  let partner: Partner;

  beforeAll(async () => {
    let service: OpenService;
    [service, installed] = await Promise.all([openService(), installPackage()]);
    const server = await found(service);
    const { base_url: baseUrl, apikey, token, organization } = server;
    const clientWith = (changes: { token?: string }) => partnerApi({ baseUrl, apikey, token, ...changes });
    const admin: OpenService["admin"] = (operation, fields) =>
      service.admin(operation, { organization, ...fields });
    // Allows more requests per minute than the tests make (one-service.ts).
    await admin("set-plan", { plan: "agency" });
    const { directory } = installed;
    partner = { ...service, server, admin, directory, api: clientWith({}), clientWith };
  });

  afterAll(() => installed?.remove());
  return () => partner;
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of list) found.push(record);
  return found;
}
