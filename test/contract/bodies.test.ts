import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, keyedRoutes, successOf, validRequest, writeRoutes } from "../support/requests.ts";
import { rowsOf } from "../support/rows.ts";
import { makeWorkspace } from "../support/workspace.ts";

const notJson = { error: "The body is not valid JSON" };
const notSentAsJson = { error: "Content-Type must be application/json" };

describe.each(writeRoutes)("$name", ({ route }) => {
  it("refuses a body that is not JSON, and stores nothing", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const before = await rowsOf(workspace);
    const texts = ["", "{", "undefined", "{'a': 1}", `${JSON.stringify(body)}x`, "NaN", "\u{feff}\u{feff}{}"];
    for (const text of texts) {
      const answer = await call(workspace, path, { method: "POST", body: text, key: "key" });
      expect([text, answer.status, await answer.json()]).toEqual([text, 400, notJson]);
    }
    expect(await rowsOf(workspace)).toEqual(before);
  });

  it("refuses a body that is not sent as JSON", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "json",
    ]) {
      const headers = { "content-type": type };
      const answer = await call(workspace, path, { body: JSON.stringify(body), key: "key", headers });
      expect([type, answer.status, await answer.json()]).toEqual([type, 400, notSentAsJson]);
    }
    const without = await call(workspace, path, { method: "POST", key: "key" });
    expect([without.status, await without.json()]).toEqual([400, notSentAsJson]);
  });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json;charset=UTF-8",
  ])("takes %s", async (type) => {
    const workspace = await makeWorkspace();
    const answer = await ask(route, workspace, { headers: { "content-type": type } });
    expect(answer.status).toBe(successOf(route));
  });

  it("refuses a body that is JSON but no object", async () => {
    const workspace = await makeWorkspace();
    const { path } = validRequest(route, await makeRecords(workspace));
    for (const text of ["null", "[]", '"text"', "1", "true"]) {
      const answer = await call(workspace, path, { method: "POST", body: text, key: crypto.randomUUID() });
      const { error } = (await answer.json()) as { error: string };
      expect([text, answer.status]).toEqual([text, 400]);
      expect(error).not.toBe("");
    }
  });
});

describe.each(writeRoutes.filter(({ route }) => !route.path.startsWith("/api-create-")))(
  "$name",
  ({ route }) => {
    it("refuses an unknown field with a 400 that names it", async () => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      const { body } = validRequest(route, records);
      for (const field of ["nonsense", "id", "created_at", "organization_id", "__proto__"]) {
        const text = `${JSON.stringify(body).slice(0, -1)}${Object.keys(body ?? {}).length ? "," : ""}"${field}":"x"}`;
        const answer = await ask(route, workspace, { body: text }, records);
        expect([field, answer.status, await answer.json()]).toEqual([
          field,
          400,
          { error: `${field} is not a known field` },
        ]);
      }
    });
  },
);

describe.each(keyedRoutes)("$name", ({ route }) => {
  it("needs an Idempotency-Key of 1 to 200 characters", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const text = { error: "Idempotency-Key is required (1-200 characters)" };
    for (const key of [undefined, "", "x".repeat(limits.idempotencyKeyCharacters + 1)]) {
      const answer = await call(workspace, path, { method: "POST", body, key });
      expect([key?.length, answer.status, await answer.json()]).toEqual([key?.length, 400, text]);
    }
    const longest = await call(workspace, path, { body, key: "x".repeat(limits.idempotencyKeyCharacters) });
    expect(longest.status).toBe(successOf(route));
  });
});
