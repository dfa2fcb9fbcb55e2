import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { openPort } from "../support/open-port.ts";
import type { RunningService } from "./service.ts";
import { insertInvoices, publicUrl } from "./workspace.ts";

const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));

const stock = { clients: 20_000, comments: 300, oldInvoices: 10_100, invoices: 2_000, endpoints: 10 };

export interface Seen {
  statuses: Record<string, number>;
  posts: number[];
}

/** A workspace that runs all known attacks at once, each at a size that once caused harm. */
export class Hostile {
  readonly seen: Seen = { statuses: {}, posts: [] };
  readonly #service: RunningService;
  readonly #server: Server = createServer((_, response) => {
    this.seen.posts.push(Date.now());
    response.end();
  });
  readonly #session = newSecret();
  #token = "";
  #deliverable = "";
  #reviewPath = "";
  #clientId = "";
  #drafts: string[] = [];

  constructor(service: RunningService) {
    this.#service = service;
  }

  async prepare(): Promise<void> {
    const service = this.#service;
    const owner = { plan: "agency", owner_email: "owner@hostile.example" };
    const named = { name: "Hostile studio", slug: "hostile" };
    const { id } = await service.admin<{ id: string }>("create-organization", { ...named, ...owner });
    const here = { organization: id };
    const scopes = "client:read,project:read,invoice:read,deliverable:read,deliverable:write,client:write";
    this.#token = (
      await service.admin<{ token: string }>("create-api-token", { ...here, name: "all", scopes })
    ).token;
    const client = { ...here, company_name: "Own", email: "own@hostile.example" };
    this.#clientId = (await service.admin<{ id: string }>("create-client", client)).id;
    await service.sql(
      `INSERT INTO clients (id, organization_id, client_name)
       SELECT 'client-' || value, ?1, 'Client ' || value FROM json_each(?2)`,
      id,
      JSON.stringify(times(stock.clients, (index) => index)),
    );
    this.#drafts = await insertInvoices(service, id, this.#clientId, stock.invoices, "2999-12-31");
    const old = await insertInvoices(service, id, this.#clientId, stock.oldInvoices, "2020-01-31");
    const body = { title: "Poster", client_id: this.#clientId, embed_url: "https://example.com/p" };
    const made = await service.call("/api-v1/deliverables", { token: this.#token, body, key: newSecret() });
    const { id: deliverable, share_url } = (await made.json()) as { id: string; share_url: string };
    this.#deliverable = deliverable;
    this.#reviewPath = new URL(share_url).pathname;
    await service.sql(
      `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name, attribution)
       SELECT 'feedback-' || value, ?1, ?2, 1, 'comment', ?3, 'Nobody', 'mailed_link' FROM json_each(?4)`,
      id,
      deliverable,
      "Larger, please. ".repeat(300),
      JSON.stringify(times(stock.comments, (index) => index)),
    );
    await service.sql(
      `INSERT INTO sessions (token_hash, email, expires_at)
       VALUES (?, 'owner@hostile.example', '2999-01-01T00:00:00.000Z')`,
      secretHash(this.#session),
    );
    await service.sql(
      `UPDATE invoices SET status = 'open' WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(old),
    );
    const url = publicUrl(await openPort(this.#server), "loud");
    for (let index = 0; index < stock.endpoints; index += 1) {
      const endpoint = { ...here, url: `${url}/${index}`, events: "invoice.sent" };
      await service.admin("create-webhook-endpoint", endpoint);
    }
  }

  async attackUntil(signal: AbortSignal): Promise<void> {
    const attacks: [number, () => Promise<unknown>[]][] = [
      // A burst of calls over the rate limit, with filters that match none of many rows.
      [
        5_000,
        () => times(100, () => this.#get("/api-v1/clients?status=archived&email=nobody%40hostile.example")),
      ],
      [
        1_000,
        () =>
          times(2, () =>
            this.#get(`/api-v1/events?types=money,deliverable.sent&subject_id=${this.#clientId}`),
          ),
      ],
      [1_000, () => times(5, (index) => this.#get(`/api-v1/projects?status=archived&limit=${index + 1}`))],
      // Operations that add records, and operations that list them.
      [1_000, () => times(8, () => this.#rpc("record_feedback", this.#comment()))],
      [
        1_000,
        () =>
          times(2, (index) => this.#rpc("set_member", { email: `${index}@stranger.example`, role: "admin" })),
      ],
      [
        1_000,
        () => [
          this.#rpc("list_webhook_deliveries", { subject_id: this.#clientId }),
          this.#rpc("list_members", {}),
        ],
      ],
      // Public pages: a long review; unknown links, sessions and tokens; sign-in forms.
      [2_000, () => times(20, () => this.#page(this.#reviewPath))],
      [1_000, () => times(10, () => this.#page(`/review/${newSecret()}`))],
      [1_000, () => times(10, () => this.#page("/settings", `session=${newSecret()}`))],
      [1_000, () => times(10, () => this.#unknownToken())],
      [3_000, () => [this.#form("/sign-in", { email: "owner@hostile.example" })]],
      [2_000, () => [this.#page(`/settings${"/".repeat(8_000)}`, `session=${this.#session}`)]],
      // Large bodies, and bodies that consist only of brackets.
      [
        6_000,
        () =>
          times(8, () => this.#post("/api-v1/deliverables", `{"image_base64":"${"A".repeat(13_000_000)}"}`)),
      ],
      [3_000, () => [this.#post("/api-v1/clients", "[".repeat(60_000))]],
      // Events for ten endpoints on the same host.
      [2_000, () => [this.#issue(20)]],
    ];
    await Promise.all(
      attacks.map(async ([everyMs, attack]) => {
        while (!signal.aborted) {
          const again = pause(everyMs);
          await Promise.all(attack());
          await again;
        }
      }),
    );
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<void> {
    let status = "no answer";
    try {
      const response = await fetch(new URL(path, this.#service.baseUrl), { redirect: "manual", ...init });
      await response.arrayBuffer();
      status = String(response.status);
    } catch {
      // The connection closes if a body is rejected before it ends.
    }
    const { statuses } = this.seen;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }

  #partner(token = this.#token) {
    return {
      apikey: localGatewayKey(),
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    };
  }

  #get(path: string) {
    return this.#ask(path, { headers: this.#partner() });
  }

  #post(path: string, body: string) {
    return this.#ask(path, {
      method: "POST",
      headers: { ...this.#partner(), "idempotency-key": newSecret() },
      body,
    });
  }

  #unknownToken() {
    const address = `2001:db8::${randomBytes(2).toString("hex")}`;
    const headers = {
      ...this.#partner(`svc_${randomBytes(18).toString("hex")}`),
      "cf-connecting-ip": address,
    };
    return this.#ask("/api-v1/clients", { headers });
  }

  #page(path: string, cookie = "") {
    return this.#ask(path, { headers: { cookie } });
  }

  #form(path: string, fields: Record<string, string>) {
    const headers = { "sec-fetch-site": "same-origin", origin: new URL(this.#service.baseUrl).origin };
    return this.#ask(path, { method: "POST", headers, body: new URLSearchParams(fields) });
  }

  #rpc(operation: string, fields: object) {
    return this.#ask(`/rpc/${operation}`, {
      method: "POST",
      headers: { cookie: `session=${this.#session}`, "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
  }

  #comment() {
    const body = "Larger, please. ".repeat(300);
    return { deliverable: this.#deliverable, kind: "comment", body, author_name: "Nobody" };
  }

  async #issue(count: number): Promise<void> {
    const ids = JSON.stringify(this.#drafts.splice(0, count));
    await this.#service.sql(
      "UPDATE invoices SET status = 'open' WHERE id IN (SELECT value FROM json_each(?))",
      ids,
    );
  }
}
