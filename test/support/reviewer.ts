import { env, exports } from "cloudflare:workers";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { baseUrl } from "./partner.ts";
import { makeDeliverable, makeStudio, readDeliverable, type Studio } from "./review.ts";
import { recordSentStrings } from "./sent-strings.ts";
import { wordsOf } from "./words.ts";

export class Reviewer {
  readonly #cookies = new Map<string, string>();
  readonly path: string;

  constructor(shareUrl: string) {
    this.path = new URL(shareUrl).pathname;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies) headers.set("cookie", cookies);
    const response = await exports.default.fetch(`${baseUrl}${path}`, {
      redirect: "manual",
      ...init,
      headers,
    });
    recordSentStrings([
      /^\/review\/(.+?)(?:\/|$)/.exec(path)?.[1],
      Object.fromEntries(headers),
      init.body instanceof URLSearchParams ? [...init.body.values()] : null,
    ]);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** Adds a cookie from another part of the site. */
  bring(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async follow(link: string): Promise<Response> {
    return this.fetch(new URL(link).pathname);
  }

  async read(query = ""): Promise<string> {
    return (await this.fetch(this.path + query)).text();
  }

  async form(action: string): Promise<Record<string, string>> {
    const page = await this.read();
    const [, form = ""] =
      new RegExp(`<form[^>]*action="[^"]*/${action}"[^>]*>(.*?)</form>`, "s").exec(page) ?? [];
    const hidden = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    return Object.fromEntries([...hidden].map(([, name, value]) => [name, value] as [string, string]));
  }

  /** Posts a form with a browser's headers; `headers` overrides them. */
  post(
    action: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.fetch(`${this.path}/${action}`, {
      method: "POST",
      headers: {
        origin: "null",
        "sec-fetch-site": "same-origin",
        "user-agent": "Test browser",
        "cf-connecting-ip": "203.0.113.7",
        ...headers,
      },
      body: new URLSearchParams(fields),
    });
  }

  async comment(body: string, fields: Record<string, string> = {}): Promise<Response> {
    const form = await this.form("feedback");
    return this.post("feedback", { ...form, kind: "comment", author_name: "Nora Wind", body, ...fields });
  }

  async signOff(fields: Record<string, string> = {}): Promise<Response> {
    const form = await this.form("sign-off");
    return this.post("sign-off", { ...form, signer_name: "Nora Wind", consent: "on", ...fields });
  }
}

/** Creates a review key for a deliverable's client without sending the e-mail. */
export async function mailedKey(deliverableId: string): Promise<string> {
  const key = newSecret();
  await env.DB.prepare(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
     SELECT ?1, deliverables.organization_id, deliverables.id, email, 'mailed_link', '2099-01-01T00:00:00.000Z'
     FROM deliverables JOIN clients ON clients.id = client_id WHERE deliverables.id = ?2`,
  )
    .bind(secretHash(key), deliverableId)
    .run();
  return key;
}

/** Creates a deliverable, and a visitor with only its bare link. */
export async function makeReview(
  fields: object = {},
): Promise<{ studio: Studio; id: string; visitor: Reviewer }> {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio, fields);
  const { share_url } = await readDeliverable(studio, id);
  return { studio, id, visitor: new Reviewer(share_url) };
}

/** The text of a page's alert, in a banner or at an invalid field. */
export function alertOf(page: string): string | undefined {
  const [start, tag] = /<(div|p)[^>]* role="alert">/.exec(page) ?? [];
  const [, rest = ""] = start === undefined ? [] : page.split(start);
  return start && wordsOf(rest.slice(0, rest.indexOf(tag === "p" ? "</p>" : "</div></div>")));
}

export const rowsOfDeliverable = async (
  table: string,
  deliverableId: string,
): Promise<Record<string, unknown>[]> =>
  (await env.DB.prepare(`SELECT * FROM ${table} WHERE deliverable_id = ?`).bind(deliverableId).all()).results;

export const insertComments = (
  deliverableId: string,
  { count, age, attribution = "link_only" }: { count: number; age: string; attribution?: string },
) =>
  env.DB.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
     INSERT INTO feedback
       (id, organization_id, deliverable_id, version_number, kind, body, author_name, attribution, created_at)
     SELECT lower(hex(randomblob(16))), organization_id, id, 1, 'comment', 'Hello', 'Nora', ?4,
       strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?3)
     FROM deliverables, n WHERE id = ?1`,
  )
    .bind(deliverableId, count, age, attribution)
    .run();
