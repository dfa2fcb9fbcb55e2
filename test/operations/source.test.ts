import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const generated = "client/src/schema.ts";

const folders = "{src,test,scripts,bench,client,examples}";
const files = globSync(`${folders}/**/*.{ts,tsx,js,mjs,css,sql}`, {
  cwd: root,
  exclude: ["**/node_modules/**", "**/dist/**"],
})
  .filter((path) => path !== generated)
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

const exportsOf = (text: string) =>
  [...text.matchAll(/^export (?:async )?(?:const|function|type|class|interface) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );

describe("hand-written code", () => {
  it("has no comment line over 120 characters", () => {
    const isComment = /^\s*(?:\/\/|\/?\*)/;
    const long = files.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          line.length > 120 && isComment.test(line) ? [`${path}:${index + 1}`] : [],
        ),
    );
    expect(long).toEqual([]);
  });

  it("has no cast through unknown", () => {
    const cast = ["as", "unknown", "as"].join(" ");
    const casting = files.filter(({ text }) => text.includes(cast)).map(({ path }) => path);
    expect(casting).toEqual([]);
  });

  it.each([
    ["src/platform/digest.ts", "timingSafeEqual(one, other)"],
    ["src/http/check-caller.ts", "equalInConstantTime(apikey, key.trim())"],
    ["src/http/pagination.ts", "equalInConstantTime(signature, signatureOf("],
    ["src/review/access/confirm-code.ts", "equalInConstantTime(code_hash, codeHash("],
    ["client/src/webhooks.ts", "crypto.subtle.verify(hmac, key, signature, signed)"],
  ])("compares secrets in constant time: %s", (path, comparison) => {
    // A test cannot measure this reliably, so it checks the source.
    expect(files.find((file) => file.path === path)?.text).toContain(comparison);
  });

  it("gives two exports the same name only if they mean the same thing", () => {
    const same = ["Admin", "Coordinator", "OrganizationCoordinator", "WebhookEvent", "escapeControls"];
    const paths = Map.groupBy(
      files.flatMap(({ path, text }) => [...new Set(exportsOf(text))].map((name) => ({ name, path }))),
      ({ name }) => name,
    );
    const twice = [...paths].filter(([name, found]) => found.length > 1 && !same.includes(name));
    expect(twice.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`)).toEqual([]);
  });

  it("imports every export, except those of the client library", () => {
    const configurations = ["vitest.config.ts", "bench/config.capnp"].map((path) => ({
      text: readFileSync(join(root, path), "utf8"),
    }));
    const counts = new Map<string, number>();
    for (const { text } of [...files, ...configurations])
      for (const word of new Set(text.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
    const unused = files
      .filter(({ path }) => !/^client\/src\/|\/(tables|guards)\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        exportsOf(text)
          .filter((name) => counts.get(name) === 1)
          .map((name) => `${path}: ${name}`),
      );
    expect(unused).toEqual([]);
  });
});

it("every installed package is pinned by its hash", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const installed = Object.entries<{ integrity?: string; link?: boolean }>(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && !link,
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
});
