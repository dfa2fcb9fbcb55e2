import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { LocalServer } from "../../scripts/local/state.ts";

interface Collection {
  item: { item: { name: string; request: CollectionRequest }[] }[];
  event: { listen: "prerequest" | "test"; script: { exec: string[] } }[];
  variable: Variable[];
}
interface Variable {
  key: string;
  value: string;
  disabled?: boolean;
}
interface CollectionRequest {
  method: string;
  header: Variable[];
  url: { host: string[]; path: string[]; query: Variable[]; variable: Variable[] };
  body?: { raw: string };
}
/** A request that a script sends. */
interface ScriptRequest {
  url: string;
  method?: string;
  header: Record<string, string>;
  body?: { raw: string };
}
interface Response {
  code: number;
  text(): string;
  json(): unknown;
}

/**
 * Runs the service's Postman collection and its scripts with a minimal `pm` object, and returns the failures. `npm run
 * check:tools` uses Postman's own runner. `alone` runs each call as if it were the first. Other tests share the
 * workspace, so rate-limited calls are retried after their Retry-After.
 */
export async function runCollection(
  { base_url }: LocalServer,
  { alone = false } = {},
): Promise<{ held: number; failures: string[] }> {
  const answer = await fetch(`${base_url}/docs/partner-api.postman_collection.json`);
  const { item, event, variable } = (await answer.json()) as Collection;
  const settings = variable.map(({ key, value }) => [key, value] as const);
  const scripts = { prerequest: "", test: "" };
  for (const { listen, script } of event) scripts[listen] += script.exec.join("\n");
  let kept = new Map(settings);
  const replaceIn = (text: string) =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (whole, name) =>
      name === "$guid" ? crypto.randomUUID() : (kept.get(name) ?? whole),
    );
  let held = 0;
  const failures: string[] = [];
  for (const { name, request } of item.flatMap(({ item }) => item)) {
    if (alone) kept = new Map(settings);
    /** // Requests sent by scripts. As in Postman, the call waits for them. */
    const sent: Promise<void>[] = [];
    const pm = {
      request,
      response: undefined as Response | undefined,
      variables: { replaceIn },
      collectionVariables: kept,
      sendRequest: (made: ScriptRequest, then: (error: null, response: Response) => void) =>
        sent.push(send(made).then((response) => then(null, response))),
      expect,
      test: (rule: string, check: () => void) => {
        try {
          check();
          held += 1;
        } catch (error) {
          failures.push(`${name}: ${rule}: ${error}`);
        }
      },
    };
    new Function("pm", scripts.prerequest)(pm);
    for (let index = 0; index < sent.length; index += 1) await sent[index];
    pm.response = await send(requestOf(request, replaceIn));
    new Function("pm", scripts.test)(pm);
  }
  return { held, failures };
}

function requestOf({ method, header, url, body }: CollectionRequest, replaceIn: (text: string) => string) {
  const enabled = (variables: Variable[]) => variables.filter(({ disabled }) => !disabled);
  const values = Object.fromEntries(url.variable.map(({ key, value }) => [`:${key}`, value]));
  const path = url.path.map((part) => values[part] ?? part).join("/");
  const query = enabled(url.query).map(({ key, value }) => `${key}=${value}`);
  const headers = enabled(header).map(({ key, value }) => [key, replaceIn(value)]);
  return {
    method,
    url: replaceIn(`${url.host[0]}/${path}?${query.join("&")}`),
    header: { ...Object.fromEntries(headers), authorization: replaceIn("Bearer {{token}}") },
    ...(body && { body: { raw: replaceIn(body.raw) } }),
  };
}

async function send(request: ScriptRequest): Promise<Response> {
  const { url, method = "GET", header, body } = request;
  const answer = await fetch(url, { method, headers: header, body: body?.raw });
  if (answer.status === 429) {
    await setTimeout(Number(answer.headers.get("retry-after")) * 1000);
    return send(request);
  }
  const text = await answer.text();
  return { code: answer.status, text: () => text, json: () => JSON.parse(text) };
}
