import { setTimeout as pause } from "node:timers/promises";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { type FaultReceiver, startReceiver } from "./receiver.ts";
import type { RunningService } from "./service.ts";
import { insertInvoices, publicUrl } from "./workspace.ts";

/** The intervals between API requests and between a studio's other activities. */
const everyMs = { request: 300, invoice: 1_500, mail: 6_000 };
const invoices = 120;
const deliverables = 20;

/** A workspace with normal activity: its partner reads and writes, invoices are issued, and deliverables are sent. */
export class Quiet {
  readonly failed: string[] = [];
  readonly #service: RunningService;
  #receiver: FaultReceiver | undefined;
  #organizationId = "";
  #token = "";
  #clientId = "";
  #drafts: string[] = [];
  #deliverables: string[] = [];
  #overdue = "";
  #issued = 0;
  #sent = 0;

  constructor(service: RunningService) {
    this.#service = service;
  }

  async prepare(): Promise<void> {
    const fields = {
      name: "Quiet studio",
      slug: "quiet",
      plan: "agency",
      owner_email: "owner@quiet.example",
    };
    const { id } = await this.#service.admin<{ id: string }>("create-organization", fields);
    this.#organizationId = id;
    const here = { organization: id };
    const scopes =
      "client:read,project:read,invoice:read,deliverable:read,client:write,deliverable:write,deliverable:send";
    const made = await this.#service.admin<{ token: string }>("create-api-token", {
      ...here,
      name: "quiet",
      scopes,
    });
    this.#token = made.token;
    const client = { ...here, company_name: "Acme", email: "nora@quiet-client.example" };
    this.#clientId = (await this.#service.admin<{ id: string }>("create-client", client)).id;
    this.#receiver = await startReceiver(() => 200);
    const endpoint = { ...here, url: publicUrl(this.#receiver.url, "quiet") };
    this.#receiver.secret = (
      await this.#service.admin<{ secret: string }>("create-webhook-endpoint", endpoint)
    ).secret;
    this.#drafts = await insertInvoices(this.#service, id, this.#clientId, invoices, "2999-12-31");
    [this.#overdue = ""] = await insertInvoices(this.#service, id, this.#clientId, 1, "2026-01-31");
    for (let number = 0; number < deliverables; number += 1) {
      const body = {
        title: `Poster ${number}`,
        client_id: this.#clientId,
        embed_url: "https://example.com/p",
      };
      const response = await this.#call("/api-v1/deliverables", body);
      this.#deliverables.push(((await response.json()) as { id: string }).id);
    }
    await this.#service.sql("UPDATE invoices SET status = 'open' WHERE id = ?", this.#overdue);
  }

  async workFor(milliseconds: number): Promise<number[]> {
    const took: number[] = [];
    const untilMs = Date.now() + milliseconds;
    const repeat = async (pauseMs: number, work: () => Promise<unknown>) => {
      while (Date.now() < untilMs) {
        await work();
        await pause(pauseMs);
      }
    };
    let turn = 0;
    await Promise.all([
      repeat(everyMs.request, async () => {
        turn += 1;
        const startedMs = performance.now();
        const response = await this.#request(turn);
        await response.arrayBuffer();
        took.push(performance.now() - startedMs);
        if (!response.ok) this.failed.push(`${response.status} ${new URL(response.url).pathname}`);
      }),
      repeat(everyMs.invoice, async () => {
        const id = this.#drafts.pop();
        if (id === undefined) return;
        await this.#service.admin("issue-invoice", { organization: this.#organizationId, id });
        this.#issued += 1;
      }),
      repeat(everyMs.mail, async () => {
        const id = this.#deliverables.pop();
        if (id === undefined) return;
        const response = await this.#call(`/api-v1/deliverables/${id}/send`, {});
        if (response.ok) this.#sent += 1;
        else this.failed.push(`${response.status} send`);
      }),
    ]);
    return took;
  }

  async isSettled(printed: string): Promise<boolean> {
    return (await this.findings(printed)).every(([, held]) => held);
  }

  async findings(printed: string): Promise<[string, boolean][]> {
    const [overdue] = await this.#service.sql<{ status: string }>(
      "SELECT status FROM invoices WHERE id = ?",
      this.#overdue,
    );
    const [made] = await this.#service.sql<{ events: number }>(
      "SELECT count(*) AS events FROM events WHERE organization_id = ?",
      this.#organizationId,
    );
    const { receipts = [], unverified = 0 } = this.#receiver ?? {};
    const arrived = new Set(receipts.map(({ deliveryId }) => deliveryId)).size;
    const mails = printed.match(/To: [^\n]*nora@quiet-client\.example/g)?.length ?? 0;
    return [
      [
        `${arrived} of its ${made?.events} events arrived, ${this.#issued} invoices and ${this.#sent} sends among them`,
        arrived === made?.events && unverified === 0 && arrived >= this.#issued + this.#sent,
      ],
      [`${mails} of its ${this.#sent} mails went out`, mails === this.#sent],
      [`its overdue invoice is ${overdue?.status}`, overdue?.status === "overdue"],
    ];
  }

  close(): void {
    this.#receiver?.close();
  }

  #request(turn: number): Promise<Response> {
    const reads = ["clients?limit=50", "projects", "invoices?limit=20", "deliverables"];
    const path = reads[turn % (reads.length + 1)];
    if (path === undefined) return this.#call("/api-v1/clients", { client_name: `Client ${turn}` });
    return fetch(new URL(`/api-v1/${path}`, this.#service.baseUrl), {
      headers: { apikey: localGatewayKey(), authorization: `Bearer ${this.#token}` },
    });
  }

  #call(path: string, body: object): Promise<Response> {
    return this.#service.call(path, { token: this.#token, body, key: crypto.randomUUID() });
  }
}
