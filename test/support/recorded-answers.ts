import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { openPort } from "./open-port.ts";

export interface RecordedAnswer {
  /** The path's template in the document. */
  path: string;
  method: string;
  status: number;
  body: unknown;
  headers: Record<string, string>;
  request: { path: string; headers: Record<string, string>; body: string | null };
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
    /** A URL that collects recordings from tests in workerd, which cannot write files. */
    answerRecorder: string;
  }
}

/**
 * Collects a whole run's calls: the client's types must accept their responses (client/scripts/check-answers.ts), and
 * Prism must accept both requests and responses (scripts/check-tools/prism.ts).
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const answers = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    for (const line of text.split("\n")) answers.add(line);
    response.end();
  });
  project.provide("answerRecorder", await openPort(server));
  return () => {
    server.closeAllConnections();
    server.close();
    mkdirSync(dirname(recordedAnswersFile), { recursive: true });
    writeFileSync(recordedAnswersFile, `[${[...answers].join(",\n")}]\n`);
  };
}
