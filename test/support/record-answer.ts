import { expect, inject } from "vitest";
import openapi from "../../openapi.json";
import type { RecordedAnswer } from "./recorded-answers.ts";

const templates = Object.keys(openapi.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The maximum per operation and status in a test file; more calls would show nothing new. */
const recordedAtMost = 10;
const bodyAtMostCharacters = 20_000;
const counts = new Map<string, number>();
const recorded: string[] = [];

export async function recordAnswer(
  method: string,
  path: string,
  request: { headers: Headers; body: string | null },
  answer: Response,
): Promise<void> {
  const template = templates.find(({ pattern }) => pattern.test(path.split("?")[0] ?? ""))?.template;
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const isLarge = (request.body?.length ?? 0) > bodyAtMostCharacters;
  if (!template || !isJson || isLarge || method === "HEAD" || answer.status === 405) return;
  const name = `${expect.getState().testPath} ${method} ${template} ${answer.status}`;
  const count = (counts.get(name) ?? 0) + 1;
  if (count > recordedAtMost) return;
  counts.set(name, count);
  const call: RecordedAnswer = {
    path: template,
    method: method.toLowerCase(),
    status: answer.status,
    body: await answer.clone().json(),
    headers: Object.fromEntries(answer.headers),
    request: { path, headers: Object.fromEntries(request.headers), body: request.body },
  };
  recorded.push(JSON.stringify(call));
}

export async function handOverAnswers(): Promise<void> {
  if (recorded.length === 0) return;
  const body = recorded.splice(0).join("\n");
  const taken = await fetch(inject("answerRecorder"), { method: "POST", body });
  await taken.body?.cancel();
}
