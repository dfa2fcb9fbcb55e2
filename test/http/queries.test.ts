import { describe, expect, it } from "vitest";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { namedRoutes, validRequest } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

const reads = namedRoutes.filter(({ route }) => route.kind === "read");

describe.each(reads)("$name", ({ route }) => {
  it("rejects an unknown or repeated query parameter, except on the legacy routes [R8]", async () => {
    const workspace = await makeWorkspace();
    const { path } = validRequest(route, await makeRecords(workspace));
    for (const [query, error] of [
      ["nonsense=1", "nonsense is not a known field"],
      ["__proto__=1", "__proto__ is not a known field"],
      ["limit=1&limit=1", "limit may only be given once"],
      ["x=1&cursor=a&cursor=", "cursor may only be given once"],
    ] as const) {
      const answer = await call(workspace, `${path}?${query}`);
      if (route.path === "/api-list-clients") expect(answer.status).toBe(200);
      else expect([query, answer.status, await answer.json()]).toEqual([query, 400, { error }]);
    }
  });
});
