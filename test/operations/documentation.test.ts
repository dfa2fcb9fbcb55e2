import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { fromText } from "../../src/admin/from-text.ts";
import { operations } from "../../src/admin/operations.ts";

const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "operations.md"), "utf8");

/** The words of a shell line, without the quotes around them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const anyId = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";

/** The commands, with an id in the place of each variable. */
const examples = [
  ...text.matchAll(/^ *(?:[A-Z_]+=\$\()?npm run (?:-s )?admin -- ([a-z][^|;#\n]*?) *(?:[|;#].*)?$/gm),
].map(([, line = ""]) =>
  line.replaceAll(/\$[A-Z_]+(?=\/)/g, "https://api.example.com").replaceAll(/\$[A-Z_]+/g, anyId),
);

describe("docs/operations.md", () => {
  it("shows every operation", () => {
    const shown = new Set(examples.map((line) => line.split(" ")[0]));
    expect(Object.keys(operations).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("takes each id from a command before", () => {
    const known = new Set(["STRIPE_KEY"]);
    for (const line of text
      .matchAll(/^```sh\n([\s\S]*?)^```/gm)
      .flatMap(([, block = ""]) => block.split("\n"))) {
      const [, set = ""] = /^(?:read .* )?([A-Z_]+)(?:=|$)/.exec(line) ?? [];
      const used = [...line.matchAll(/\$([A-Z_]+)/g)].map(([, name = ""]) => name);
      expect(used.filter((name) => !known.has(name))).toEqual([]);
      if (set) known.add(set);
      if (line.startsWith("eval ")) for (const name of ["URL", "KEY", "TOKEN"]) known.add(name);
    }
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/);
  });

  it.each(examples)("%s", (line) => {
    const command = readCommand(wordsOf(line));
    if (typeof command === "string") throw new Error(command);
    const operation = operations[command.operation ?? ""];
    const { organization: _, actor: __, ...fields } = command.fields;
    const judged: z.ZodSafeParseResult<unknown> | undefined = operation?.input.safeParse(
      fromText(operation.input, fields),
    );
    expect(judged?.error?.issues ?? []).toEqual([]);
    expect(operation).toBeDefined();
  });
});
