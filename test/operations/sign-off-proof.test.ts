import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proofOf, publishedKeys } from "../../src/platform/signing.ts";
import { hasPython } from "../support/python.ts";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "sign-off-proof.md"), "utf8");
const [, verifying = ""] = page.split(/^(?=## Verify it in JavaScript$)/m);
const codeIn = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(verifying)?.[1] ?? "";

const languages = [
  { language: "js", file: "verify.mjs", command: process.execPath },
  { language: "python", file: "verify.py", command: "python3" },
];
const facts = { workspace: "Studio Nørd", deliverable_id: "4f5c0a3e", signer_name: "Ada Lovelace" };

let folder: string;
let proof: string;

beforeAll(async () => {
  // The folder is inside the project, so that Node can resolve jose.
  folder = mkdtempSync(join(root, ".wrangler", "sign-off-proof-"));
  const keys = await Promise.all(
    ["2026", "2027"].map(async (kid) => {
      const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
      return { ...(await exportJWK(privateKey)), kid };
    }),
  );
  // This proof was signed with a key that has since been retired.
  proof = await proofOf(JSON.stringify({ keys }), facts);
  writeFileSync(
    join(folder, "jwks.json"),
    JSON.stringify(publishedKeys(JSON.stringify({ keys: keys.reverse() }))),
  );
  for (const { language, file } of languages) writeFileSync(join(folder, file), codeIn(language));
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (command: string, file: string, text: string): string => {
  writeFileSync(join(folder, "proof.txt"), text);
  return execFileSync(command, [file], { cwd: folder, encoding: "utf8", stdio: "pipe" });
};

describe.each(languages)("the $language code of docs/sign-off-proof.md", ({ language, file, command }) => {
  it("has at most ten lines", () => {
    expect(codeIn(language).trim().split("\n").filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  const canRun = language !== "python" || hasPython;

  it.runIf(canRun)("verifies a proof offline", () => {
    expect(verify(command, file, `${proof}\n`)).toContain("Ada Lovelace");
  });

  it.runIf(canRun).each([10, 120, 240])("fails when character %i is changed", (at) => {
    const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
    expect(() => verify(command, file, changed)).toThrow();
  });
});
