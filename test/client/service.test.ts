import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminConnection, openAdmin } from "../../scripts/admin/connection.ts";
import { stateAt } from "../../scripts/local/state.ts";
import { type Service, startService, stateDirectory } from "../operations/service.ts";
import { calls, runCollection } from "./collection.ts";

/** What partners use, against the service as `npm start` runs it. */
const state = stateDirectory();
let service: Service;
let admin: AdminConnection;

beforeAll(async () => {
  service = await startService(state.directory);
  admin = await openAdmin(stateAt(state.directory));
  await admin.run("set-plan", { organization: "demo", plan: "agency" });
});

afterAll(async () => {
  await admin?.close();
  await service?.end();
  state.remove();
});

describe("the Postman collection", () => {
  it("succeeds as it stands with url, apikey and token, and again", async () => {
    for (const _ of ["once", "again"]) {
      expect(await runCollection(service.server)).toEqual({ held: calls.length, failures: [] });
    }
  });

  it.each(calls)("$name succeeds alone", async ({ alone }) => {
    expect(await runCollection(service.server, alone)).toEqual({ held: 1, failures: [] });
  });
});
