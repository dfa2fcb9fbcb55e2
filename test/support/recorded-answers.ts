import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";

/** One success that a test got: what the client's types must take (client/scripts/check-answers.ts). */
export interface RecordedAnswer {
  path: string;
  method: string;
  status: number;
  body: unknown;
}

export const recordedAnswersFile = join(
  import.meta.dirname,
  "..",
  "..",
  ".wrangler",
  "recorded-answers.json",
);

declare module "vitest" {
  interface ProvidedContext {
    /** Takes what tests in workerd record, which have no disk. */
    answerRecorder: string;
  }
}

/** Keeps the answers of a whole run, each different one once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const answers = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    answers.add(text);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("answerRecorder", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return () => {
    server.closeAllConnections();
    server.close();
    mkdirSync(dirname(recordedAnswersFile), { recursive: true });
    writeFileSync(recordedAnswersFile, `[${[...answers].join(",\n")}]\n`);
  };
}
