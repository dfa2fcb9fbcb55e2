import { env, exports } from "cloudflare:workers";
import { sha256Hex } from "../../src/platform/digest.ts";
import { newSecret } from "../../src/platform/secret.ts";
import { insert } from "./filled-workspace.ts";
import { baseUrl } from "./partner.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

export class SettingsBrowser {
  readonly cookies = new Map<string, string>();
  /** A unique address, so that rate limits do not count other tests' visitors. */
  readonly address = `203.0.113.${Math.floor(Math.random() * 250)}-${crypto.randomUUID()}`;

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ "cf-connecting-ip": this.address, ...(init.headers as object) });
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies) headers.set("cookie", cookies);
    const url = `${baseUrl}${path}`;
    const response = await exports.default.fetch(url, { redirect: "manual", ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async read(path: string): Promise<string> {
    return (await this.fetch(path)).text();
  }

  /** Posts a form with the headers that a browser sends from the service's pages. */
  post(
    path: string,
    fields: Record<string, string> | [string, string][] | FormData = {},
    headers = {},
  ): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { origin: "null", "sec-fetch-site": "same-origin", ...headers },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    });
  }

  /** Calls an operation like the pages' JavaScript. */
  async rpc<T = Record<string, unknown>>(
    name: string,
    fields: unknown = {},
    headers: Record<string, string> = {},
  ) {
    const response = await this.fetch(`/rpc/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof fields === "string" ? fields : JSON.stringify(fields),
    });
    const body = (await response.json()) as T;
    return { status: response.status, body, headers: response.headers };
  }
}

/** Creates a workspace; returns it with its owner's browser and the base path of its pages. */
export async function ownerAtHome(): Promise<{ here: Workspace; browser: SettingsBrowser; base: string }> {
  const here = await makeWorkspace();
  return { here, browser: await signedIn(here.ownerEmail), base: `/settings/org-${here.organizationId}` };
}

export const sessionCookie = "__Host-session";
export async function newSession(email: string): Promise<string> {
  const secret = newSecret();
  await env.DB.prepare(
    `INSERT INTO sessions (token_hash, email, expires_at) VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now',
      '+1 day'))`,
  )
    .bind(sha256Hex(secret), email)
    .run();
  return secret;
}

export async function signedIn(email: string): Promise<SettingsBrowser> {
  const browser = new SettingsBrowser();
  browser.cookies.set(sessionCookie, await newSession(email));
  return browser;
}

/** Inserts an endpoint by SQL, so that its host is not resolved. */
export const insertEndpoint = (
  { organizationId, ownerId }: Pick<Workspace, "organizationId" | "ownerId">,
  values: Record<string, string | number> = {},
) =>
  insert("webhook_endpoints", {
    organization_id: organizationId,
    url: `https://${crypto.randomUUID()}.example/hook`,
    secret_encrypted: "encrypted",
    created_by: ownerId,
    ...values,
  });
