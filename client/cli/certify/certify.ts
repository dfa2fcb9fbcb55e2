import { forgedCases } from "./forged.ts";
import { genuineCases } from "./genuine.ts";
import { Receiver } from "./receiver.ts";
import type { CertifyCase } from "./scenario.ts";

/** Production's timeout for an attempt. */
const answerWithinMs = 5_000;

/** The last scenario, which checks the response times of all others. */
const answerInTime: CertifyCase = {
  name: "answer_in_time",
  title: "Responds to every delivery within 5 seconds",
  why: "A later response counts as a failure, and the delivery is sent again. Respond first, then do the work.",
  run: async ({ slowestMs }) =>
    slowestMs <= answerWithinMs ? undefined : `the slowest response took ${slowestMs} ms`,
};

export const scenarios: readonly CertifyCase[] = [...genuineCases, ...forgedCases, answerInTime];

export interface Check {
  name: string;
  title: string;
  held: boolean;
  /** What happened instead. */
  problem: string | null;
  why: string;
}

export interface Certification {
  url: string;
  passed: number;
  failed: number;
  checks: Check[];
}

/** Runs every scenario against the receiver, one after the other. */
export async function certify(
  url: string,
  secret: string,
  tell: (check: Check) => void,
  headers: Record<string, string> = {},
): Promise<Certification> {
  const receiver = new Receiver(url, secret, headers);
  const checks: Check[] = [];
  for (const { name, title, why, run } of scenarios) {
    const problem = (await run(receiver)) ?? null;
    if (!receiver.hasAnswered) throw new Error(`No response from ${url}: ${problem}`);
    const check = { name, title, held: problem === null, problem, why };
    checks.push(check);
    tell(check);
  }
  const failed = checks.filter(({ held }) => !held).length;
  return { url, passed: checks.length - failed, failed, checks };
}

export const formatCheck = ({ name, title, held, problem, why }: Check): string =>
  held
    ? `  ✓ ${name.padEnd(22)} ${title}`
    : `  ✗ ${name.padEnd(22)} ${title}\n      ${problem}\n      Why it matters: ${why}`;
