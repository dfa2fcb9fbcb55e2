import { afterAll, afterEach, expect, vi } from "vitest";
import { handOverAnswers } from "./record-answer.ts";
import { containsSentString, errorCodes, sentStrings } from "./sent-strings.ts";

/**
 * Checks the logs of every test file in workerd. Request lines must have the format in contract R13, and no line may
 * contain a name, address, token or other string from a request.
 */

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const form = new RegExp(
  `^{"request_id":"${uuid}","method":"[A-Z]+","route":(?:null|"([^"]+)"),"status":[1-5]\\d\\d,` +
    `"duration_ms":\\d+,"d1_trips":\\d+,"d1_ms":\\d+,"coordinator_ms":\\d+,"organization_id":(?:null|"${uuid}"),` +
    `"token_prefix":(?:null|"svc_[0-9a-f]{10}"),"code":(?:null|"(\\w+)"),"replay":(?:true|false),"version":(?:null|"[^"]*")}$`,
);
const template = /^(?:\/(?:[a-z0-9._-]+|\{\w+\}))*\/?$/;

/** What is wrong with a request line's format; null if it is valid. */
export function formProblem(line: string): string | null {
  const [found, route, code] = form.exec(line) ?? [];
  if (found === undefined) return `not the form of a line: ${line}`;
  if (route !== undefined && !template.test(route)) return `no template: ${route}`;
  return code === undefined || errorCodes.has(code) ? null : `no code of the contract: ${code}`;
}

/** Lines without ids and numbers, to deduplicate similar ones. */
const lines = new Set<string>();
const wrong = new Set<string>();

const isRequestLine = (line: unknown): line is string =>
  typeof line === "string" && line.startsWith('{"request_id"') && line.includes('"d1_trips"');

/** The lines so far that contain a string from a request. */
const leakingLines = (): string[] => [...lines].filter(containsSentString);

sentStrings.clear();
const { log, error } = console;
console.log = (...words) => {
  const [line] = words;
  if (!isRequestLine(line)) return log(...words);
  const problem = formProblem(line);
  if (problem) wrong.add(problem);
  lines.add(line.replaceAll(new RegExp(uuid, "g"), "").replaceAll(/\b\d+\b/g, ""));
};
console.error = (...words) => {
  lines.add(words.join(" "));
  error(...words);
};

// Test files share a process, so a spy must not outlive its test.
afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await handOverAnswers();
  Object.assign(console, { log, error });
  expect([...wrong], "lines of requests that say more or less than contract R13").toEqual([]);
  expect(leakingLines(), "lines of the log that hold what a request brought").toEqual([]);
});
