import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import type { Completion } from "../durable/organization-coordinator.ts";
import { complete } from "./completions.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const completion = (key: string): Completion => ({ key, fingerprint: "f", answer: "{}" });

/** A gate that keeps what it was told, call by call. */
function gateThatListens() {
  const told: string[][] = [];
  const gate = {
    complete: async (completions: Completion[]) => told.push(completions.map(({ key }) => key)),
  };
  vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName").mockReturnValue(gate as never);
  return told;
}

it("what ends at about the same time shares one call", async () => {
  const told = gateThatListens();
  const organization = crypto.randomUUID();
  await Promise.all(["a", "b", "c"].map((key) => complete(env, organization, completion(key))));
  await complete(env, organization, completion("d"));
  expect(told).toEqual([["a", "b", "c"], ["d"]]);
});

it("a request that the platform cut off while it gathered holds up none that come after", async () => {
  const told = gateThatListens();
  const organization = crypto.randomUUID();
  const cutOff = vi.spyOn(scheduler, "wait").mockReturnValueOnce(new Promise(() => {}));
  void complete(env, organization, completion("lost"));
  cutOff.mockRestore();
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 5000);
  await complete(env, organization, completion("next"));
  now.mockRestore();
  expect(told).toEqual([["next"]]);
});
