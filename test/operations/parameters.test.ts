import { describe, expect, it } from "vitest";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { inWords } from "../../scripts/admin/print.ts";
import { replayInSteps } from "../../scripts/admin/replay.ts";

const read = (line: string) => readCommand(line.split(" "));

describe("the command line of npm run admin", () => {
  it("reads an operation, its fields and the switches", () => {
    expect(read("create-organization --owner-email a@b.co --name=X=Y --json")).toEqual({
      operation: "create-organization",
      fields: { owner_email: "a@b.co", name: "X=Y" },
      json: true,
      help: false,
      environment: undefined,
    });
    expect(read("audit-log --env production")).toMatchObject({ environment: "production", fields: {} });
  });

  it("a field without a value is true; a negative number is a value", () => {
    expect(read("create-client --sample --name x")).toMatchObject({ fields: { sample: "true", name: "x" } });
    expect(read("create-client --name x --sample")).toMatchObject({ fields: { sample: "true", name: "x" } });
    expect(read("create-change-order --amount -50")).toMatchObject({ fields: { amount: "-50" } });
    expect(read("create-change-order --amount=-50 --json")).toMatchObject({
      fields: { amount: "-50" },
      json: true,
    });
  });

  it.each([
    ["audit-log now", /now stands alone/],
    ["audit-log -5", /-5 stands alone/],
    ["audit-log --limit 1 --limit 2", /--limit is given twice/],
    ["audit-log --env staging", /--env takes production/],
  ])("%s is refused in words", (line, message) => {
    expect(read(line)).toMatch(message);
  });
});

it("what data hold never steers the terminal", () => {
  const name = "Acme\u001b[2J\u009b1m\u202egnp";
  const shown = "Acme\\u001b[2J\\u009b1m\\u202egnp";
  for (const words of [inWords({ name, details: { name } }), inWords([{ name, names: [name] }])]) {
    expect(words).toContain(shown);
    expect(words.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
  }
});

describe("a replay of many", () => {
  /** A service with so many dead deliveries; answers the calls that it got as well. */
  const serviceWith = (dead: number) => {
    const calls: Record<string, unknown>[] = [];
    const run = async (_: string, fields: Record<string, unknown>) => {
      calls.push(fields);
      const matched = dead;
      const replayed = fields.dry_run ? 0 : Math.min(dead, Number(fields.limit));
      dead -= replayed;
      return { ok: true as const, result: { matched, replayed } };
    };
    return { calls, run };
  };
  const replay = async (dead: number, fields: Record<string, unknown> = {}) => {
    const { calls, run } = serviceWith(dead);
    const told: string[] = [];
    const outcome = await replayInSteps(run, { endpoint: "e", ...fields }, (line) => told.push(line));
    return { outcome, told, limits: calls.map(({ limit }) => limit) };
  };

  it("tells how far it is after each call, and answers as one call would", async () => {
    expect(await replay(4_500)).toEqual({
      outcome: { ok: true, result: { matched: 4_500, replayed: 4_500 } },
      told: ["2000 of 4500 go out again", "4000 of 4500 go out again", "4500 of 4500 go out again"],
      limits: [2_000, 2_000, 500],
    });
  });

  it("ends where nothing is left, only counts with dry_run, and is one call with a limit", async () => {
    expect(await replay(0)).toMatchObject({ outcome: { result: { matched: 0, replayed: 0 } }, told: [] });
    const counted = await replay(4_500, { dry_run: "true" });
    expect(counted).toMatchObject({ outcome: { result: { matched: 4_500, replayed: 0 } }, told: [] });
    const limited = await replay(4_500, { limit: "3000" });
    expect(limited).toMatchObject({ outcome: { result: { replayed: 3_000 } }, limits: ["3000"] });
  });

  it("says why a call was refused", async () => {
    const refused = { ok: false, message: "There is no webhook endpoint e", hint: null } as const;
    expect(
      await replayInSteps(
        async () => refused,
        { endpoint: "e" },
        () => {},
      ),
    ).toEqual(refused);
  });
});
