import { beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../contract/limits.ts";

type Senders = typeof import("./senders.ts");

let senders: Senders;
beforeEach(async () => {
  vi.resetModules();
  senders = await import("./senders.ts");
});

const token = { organizationId: "a", scopes: ["client:read"] };

describe("an isolate's cache of senders", () => {
  it("contains the scopes of each known token", () => {
    expect([senders.isKnownToken("t"), senders.lacksScope("t", "time:read")]).toEqual([false, false]);
    senders.rememberToken("t", token);
    expect(senders.isKnownToken("t")).toBe(true);
    const asked = ["client:read", "time:read", null] as const;
    expect(asked.map((scope) => senders.lacksScope("t", scope))).toEqual([false, true, false]);
  });

  it("does not contain a token after forgetToken", () => {
    senders.rememberToken("t", token);
    senders.rememberToken("other", token);
    senders.forgetToken("t");
    expect([senders.isKnownToken("t"), senders.isKnownToken("other")]).toEqual([false, true]);
  });

  it("contains an organization's full window until the window ends, at the same or a lower rate limit", () => {
    senders.rememberToken("t", token);
    senders.rememberToken("other", { ...token, organizationId: "b" });
    senders.rememberLimited("a", { untilMs: 1000, requestsPerMinute: 60 });
    expect([senders.isLimited("t", 999), senders.isLimited("t", 1000)]).toEqual([true, false]);
    expect([senders.isLimited("other", 999), senders.isLimited("unknown", 999)]).toEqual([false, false]);
    const full = [59, 60, 61].map((ceiling) => senders.fullUntilMs("a", ceiling, 999));
    expect(full).toEqual([1000, 1000, undefined]);
    expect([senders.fullUntilMs("a", 60, 1000), senders.fullUntilMs("b", 60, 999)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("contains a blocked address until the block ends", () => {
    senders.blockAddress("203.0.113.7", 1000);
    expect([999, 1000].map((nowMs) => senders.blockedUntil("203.0.113.7", nowMs))).toEqual([1000, undefined]);
    expect(senders.blockedUntil("203.0.113.8", 999)).toBeUndefined();
  });

  it("is cleared before it exceeds 10,000 entries of a kind", () => {
    for (let index = 0; index < 10_000; index += 1) senders.rememberToken(`t${index}`, token);
    senders.rememberToken("t9999", token);
    expect([senders.isKnownToken("t0"), senders.isKnownToken("t9999")]).toEqual([true, true]);
    senders.rememberToken("one more", token);
    expect([senders.isKnownToken("t0"), senders.isKnownToken("one more")]).toEqual([false, true]);
  });
});

describe("the memory reserved for large bodies", () => {
  const megabytes = (count: number) => count * 1024 * 1024;

  it("is counted per organization, and released one body at a time", () => {
    const take = (organizationId: string) => senders.reserveLargeBody(organizationId, 100_000);
    const taken = Array.from({ length: limits.largeBodiesAtATime }, () => take("a"));
    expect(taken.every((release) => release !== undefined)).toBe(true);
    expect(take("a")).toBeUndefined();
    expect(take("b")).toBeDefined();
    taken[0]?.();
    expect([take("a") !== undefined, take("a")]).toEqual([true, undefined]);
  });

  it("is at most 32 MB across all organizations, and at most 16 MB for each", () => {
    const first = senders.reserveLargeBody("a", megabytes(15));
    expect(senders.reserveLargeBody("a", megabytes(2))).toBeUndefined();
    expect(senders.reserveLargeBody("b", megabytes(15))).toBeDefined();
    expect(senders.reserveLargeBody("c", megabytes(3))).toBeUndefined();
    expect(senders.reserveLargeBody("c", megabytes(2))).toBeDefined();
    first?.();
    expect(senders.reserveLargeBody("c", megabytes(14))).toBeDefined();
  });
});

describe("reads that are not yet counted", () => {
  const room = (tokenHash: string) => senders.reserveUncountedRead(tokenHash);

  it("are limited to 8 per organization across all its tokens, and each counted read frees a slot", () => {
    for (const hash of ["t", "second"]) senders.rememberToken(hash, token);
    senders.rememberToken("other", { ...token, organizationId: "b" });
    const taken = Array.from({ length: 8 }, (_, index) => room(index % 2 ? "t" : "second"));
    expect(taken.every((free) => free !== undefined)).toBe(true);
    expect([room("t"), room("second")]).toEqual([undefined, undefined]);
    expect(room("other")).toBeDefined();
    taken[0]?.();
    expect([room("t") !== undefined, room("t")]).toEqual([true, undefined]);
  });

  it("use a slot in every organization if the token is unknown, because it may belong to any of them", () => {
    senders.rememberToken("t", token);
    const taken = Array.from({ length: 5 }, () => room("unknown"));
    for (let index = 0; index < 3; index += 1) expect(room("t")).toBeDefined();
    expect([room("t"), room("unknown")]).toEqual([undefined, undefined]);
    taken[0]?.();
    expect(room("another unknown")).toBeDefined();
  });
});

describe("lookups for a blocked sender", () => {
  let secrets = 0;
  const lookups = (atMs: number, wanted: number) =>
    Array.from({ length: wanted }, () => {
      secrets += 1;
      return senders.reserveLookup("203.0.113.7", `secret ${secrets}`, atMs);
    }).filter(Boolean).length;

  it("are limited to 5 per second, and some are reserved for ten seconds for secrets that had to wait", () => {
    const startMs = 1_000_000;
    const [all, first] = [limits.blockedLookupsPerSecond, limits.blockedFirstLookupsPerSecond];
    expect(lookups(startMs, all + 1)).toBe(all);
    expect(senders.reserveLookup("203.0.113.7", `secret ${secrets}`, startMs + 1000)).toBe(true);
    expect(lookups(startMs + 2000, first + 1)).toBe(first);
    for (let second = 3; second <= 12; second += 1)
      expect(lookups(startMs + second * 1000, first)).toBe(first);
    expect(lookups(startMs + 13_000, all)).toBe(all);
  });
});
