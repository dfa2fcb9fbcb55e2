import { env } from "cloudflare:workers";
import { conforms } from "./conformance.ts";
import { recordAnswer } from "./record-answer.ts";
import { recordSentJson, recordSentStrings } from "./sent-strings.ts";
import { served } from "./served.ts";

export const baseUrl = "https://api.example.com";

export interface CallOptions {
  method?: string;
  body?: unknown;
  key?: string;
  token?: string | null;
  headers?: Record<string, string>;
  /** The scheme and host, for tests that depend on them. */
  base?: string;
}

/** Calls the partner API over HTTP, like a partner. Every response is checked against openapi.json. */
export async function call(
  workspace: { token: string },
  path: string,
  { method, body, key, token = workspace.token, headers = {}, base = baseUrl }: CallOptions = {},
): Promise<Response> {
  const all = new Headers({ apikey: env.GATEWAY_PUBLIC_KEY, ...headers });
  if (token !== null) all.set("authorization", `Bearer ${token}`);
  if (key !== undefined) all.set("idempotency-key", key);
  if (body !== undefined && !all.has("content-type")) all.set("content-type", "application/json");
  recordSentStrings([token, key, headers, path.split("?")[1]]);
  if (typeof body === "string") recordSentJson(body);
  else recordSentStrings(body);
  const asked = method ?? (body === undefined ? "GET" : "POST");
  const sent = body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body);
  const answer = await served(`${base}${path}`, {
    method: asked,
    headers: all,
    redirect: "manual",
    body: sent,
  });
  await conforms({ method: asked, path, origin: all.get("origin") }, answer);
  await recordAnswer(asked, path, { headers: all, body: sent }, answer);
  return answer;
}

export const post = (
  workspace: { token: string },
  path: string,
  body: unknown,
  key: string = crypto.randomUUID(),
) => call(workspace, path, { body, key });
