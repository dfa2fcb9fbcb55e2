import { describe, expect, it } from "vitest";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { inWords } from "../../scripts/admin/print.ts";

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
