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

const examples = [...text.matchAll(/^ *npm run (?:-s )?admin -- ([a-z].*)$/gm)].map(
  ([, line]) => line as string,
);

describe("docs/operations.md", () => {
  it("shows every operation", () => {
    const shown = new Set(examples.map((line) => line.split(" ")[0]));
    expect(Object.keys(operations).filter((name) => !shown.has(name))).toEqual([]);
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
