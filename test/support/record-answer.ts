import { expect, inject } from "vitest";
import openapi from "../../openapi.json";
import type { RecordedAnswer } from "./recorded-answers.ts";

const templates = Object.keys(openapi.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Answers of one operation and status that one test file records: more of them say nothing new. */
const recordedAtMost = 10;
const counts = new Map<string, number>();

/** Hands a success in JSON to the recorder of the run, by whose end the client's types are held against it. */
export async function recordAnswer(method: string, path: string, answer: Response): Promise<void> {
  const template = templates.find(({ pattern }) => pattern.test(path.split("?")[0] ?? ""))?.template;
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  if (!template || !answer.ok || !isJson || method === "HEAD") return;
  const name = `${expect.getState().testPath} ${method} ${template} ${answer.status}`;
  const count = (counts.get(name) ?? 0) + 1;
  if (count > recordedAtMost) return;
  counts.set(name, count);
  const recorded: RecordedAnswer = {
    path: template,
    method: method.toLowerCase(),
    status: answer.status,
    body: await answer.clone().json(),
  };
  const taken = await fetch(inject("answerRecorder"), { method: "POST", body: JSON.stringify(recorded) });
  await taken.body?.cancel();
}
