import { vi } from "vitest";

/**
 * Compares a command's output with a reviewed, approved file. `npx vitest run test/operations test/client -u` rewrites
 * the files; review the diff.
 */

const labels: readonly [pattern: RegExp, label: string][] = [
  [/(?<=\/images\/)[0-9a-f]{32}(?=-)/g, "[request]"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-\d[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "[id]"],
  [/\bsvc_[0-9a-f]{10,36}\b/g, "[token]"],
  [/\bwhsec_[A-Za-z0-9+/]{3,}=*/g, "[secret]"],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, "[key]"],
  [/(?<![\w-])[\w-]{32}(?![\w-])/g, "[share key]"],
  [/\b[0-9a-f]{12}…/g, "[hash]…"],
  [/(?<=127\.0\.0\.1:|\bport )\d+/g, "[port]"],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "[moment]"],
  [/\b\d{4}-\d\d-\d\d\b/g, "[day]"],
  [/\b\d{1,2} [JFMASOND][a-z]+ \d{4}\b/g, "[day]"],
  [/\b\d+ ms\b/g, "[time] ms"],
];

/** Replaces values that differ between runs. `own` contains replacements for a single test, such as its folder. */
export const withLabels = (text: string, own: Readonly<Record<string, string>> = {}): string =>
  labels.reduce(
    (rest, [pattern, label]) => rest.replaceAll(pattern, label),
    Object.entries(own).reduce((rest, [found, label]) => rest.replaceAll(found, label), text),
  );

/** Returns the lines that `run` prints, prefixed with `1| ` for stdout and `2| ` for stderr. */
export async function outputOf(run: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream, index) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      const shown = String(text).replace(/\n$/, "").split("\n");
      lines.push(...shown.map((line) => `${index + 1}| ${line}`));
      return true;
    }),
  );
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.join("\n");
}
