import { afterAll, beforeAll } from "vitest";
import { type PartnerApi, partnerApi } from "../../client/src/index.ts";
import { type OpenService, openService } from "../operations/service.ts";
import { installPackage } from "./installed.ts";

export interface Partner extends OpenService {
  /** Where the package is installed. */
  directory: string;
  api: PartnerApi;
  clientWith(changes: { token: string }): PartnerApi;
}

/** A partner of the service as `npm start` runs it, for all tests of a file: call it inside them. */
export function partnerOfService(): () => Partner {
  let service: OpenService;
  let installed: Awaited<ReturnType<typeof installPackage>>;
  let partner: Partner;

  beforeAll(async () => {
    [service, installed] = await Promise.all([openService(), installPackage()]);
    const { base_url: baseUrl, apikey, token } = service.server;
    const clientWith = (changes: { token?: string }) => partnerApi({ baseUrl, apikey, token, ...changes });
    // More requests a minute than the tests make.
    await service.admin("set-plan", { plan: "agency" });
    partner = { ...service, directory: installed.directory, api: clientWith({}), clientWith };
  });

  afterAll(async () => {
    await service?.close();
    installed?.remove();
  });
  return () => partner;
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of list) found.push(record);
  return found;
}
