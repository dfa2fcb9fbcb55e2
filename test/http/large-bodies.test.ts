import { env, exports } from "cloudflare:workers";
import { expect, it, onTestFinished, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { baseUrl, call } from "../support/partner.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

/** A body of up to 10 MB that counts how many of its chunks were read. */
function largeBody() {
  const chunk = new TextEncoder().encode("A".repeat(64 * 1024));
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      if (pulled > 200) controller.close();
      else controller.enqueue(chunk);
    },
  });
  return { body, chunksRead: () => pulled };
}

it("a large body is read to the end only for a known token with the scope", async () => {
  const workspace = await makeWorkspace();
  const unknown = `svc_${"0".repeat(36)}`;
  const reader = await insertToken(workspace, ["client:read"]);
  for (const [token, status] of [
    [unknown, 401],
    [reader, 403],
    [workspace.token, 400],
  ] as const) {
    const { body, chunksRead } = largeBody();
    const answer = await exports.default.fetch(`${baseUrl}/api-v1/deliverables`, {
      method: "POST",
      headers: {
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${token}`,
        "idempotency-key": "one",
        "content-type": "application/json",
      },
      body,
    });
    expect(answer.status).toBe(status);
    if (token === workspace.token) expect(chunksRead()).toBeGreaterThan(200);
    else expect(chunksRead()).toBeLessThan(20);
  }
});

it("a small body needs no extra round trip once the isolate knows the token", async () => {
  const workspace = await makeWorkspace();
  await call(workspace, "/api-v1/clients");
  const batch = vi.spyOn(env.DB, "batch");
  const answer = await call(workspace, "/api-v1/clients", { body: { client_name: "Ada" }, key: "one" });
  expect([answer.status, batch.mock.calls.length]).toEqual([201, 2]);
});

it.each([
  ["valid", JSON.stringify({ client_name: "Ada" }).padEnd(limits.smallBodyBytes + 1), 201],
  ["invalid", JSON.stringify({ client_name: "A".repeat(limits.smallBodyBytes) }), 400],
])(
  "a request with a large, %s body is counted once, and its memory is released afterwards",
  async (_, body, status) => {
    stopClock();
    onTestFinished(startClock);
    const ceiling = limits.largeBodiesAtATime + 2;
    const workspace = await makeWorkspace({ plan: await makePlan(ceiling) });
    const statuses = [];
    for (let turn = 0; turn <= ceiling; turn++)
      statuses.push((await call(workspace, "/api-v1/clients", { body, key: `${turn}` })).status);
    expect(statuses).toEqual([...Array(ceiling).fill(status), 429]);
  },
);

it("a large body gets a 429 while the large bodies of all organizations fill their shared 32 MB [N14]", async () => {
  const uploads = (workspace: Workspace) => {
    const ended = Promise.withResolvers<void>();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          pulled += 1;
          if (pulled === 1) return controller.enqueue(new TextEncoder().encode("{"));
          await ended.promise;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = exports.default.fetch(`${baseUrl}/api-v1/deliverables`, {
      method: "POST",
      headers: {
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${workspace.token}`,
        "idempotency-key": crypto.randomUUID(),
        "content-type": "application/json",
      },
      body,
    });
    return { answer, end: () => ended.resolve(), isRead: () => pulled > 1 };
  };
  const [one, two, three] = [await makeWorkspace(), await makeWorkspace(), await makeWorkspace()];
  const held = [uploads(one), uploads(two)];
  await vi.waitUntil(() => held.every(({ isRead }) => isRead()));
  const refused = await uploads(three).answer;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  for (const { end } of held) end();
  expect((await Promise.all(held.map(({ answer }) => answer))).map(({ status }) => status)).toEqual([
    400, 400,
  ]);
  const later = uploads(three);
  later.end();
  expect((await later.answer).status).toBe(400);
});
