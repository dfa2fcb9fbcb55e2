import { createServer, type Server } from "node:http";
import { signDelivery } from "../../client/src/index.ts";
import { openPort } from "../support/open-port.ts";

interface Chance {
  /** The probability that a request or delivery is lost. `doubled` is the probability that a delivery is repeated. */
  lost: number;
  doubled: number;
}

/**
 * A feed like the service's, with the test's own events and webhook deliveries. `Chance` sets how unreliable both are.
 */
export class Feed {
  readonly #events: { id: string; subject_id: string; number: number }[] = [];
  readonly #chance: Chance;
  readonly #server: Server;
  readonly #random: () => number;
  readonly secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  queries: URLSearchParams[] = [];
  deliveries = 0;
  target: string | undefined;

  constructor(random: () => number, chance: Chance = { lost: 0, doubled: 0 }) {
    this.#random = random;
    this.#chance = chance;
    this.#server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://feed");
      this.queries.push(searchParams);
      const body = JSON.stringify(this.#page(searchParams));
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      if (this.#happens("lost"))
        response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
      else response.end(body);
    });
  }

  listen(): Promise<string> {
    return openPort(this.#server);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Commits an event about a record. Its delivery follows later: once, twice or never. */
  commit(record: string): void {
    const event = { id: crypto.randomUUID(), subject_id: record, number: this.#events.length };
    this.#events.push(event);
    if (this.#happens("lost")) return;
    for (let times = this.#happens("doubled") ? 2 : 1; times > 0; times--) {
      setTimeout(() => void this.#deliver(event), this.#random() * latestDeliveryMs);
    }
  }

  get ids(): string[] {
    return this.#events.map(({ id }) => id);
  }

  #happens = (what: keyof Chance) => this.#random() < this.#chance[what];

  #page(query: URLSearchParams) {
    const limit = Number(query.get("limit") ?? 50);
    const from = Number(query.get("cursor")?.slice("after-".length) ?? 0);
    const data = this.#events.slice(from, from + limit).map((event) => ({
      event: "invoice.paid",
      category: "money",
      created_at: "2026-01-31T09:30:00.000Z",
      ...event,
      data: { invoice_id: event.subject_id, number: event.number },
    }));
    const latest_cursor = `after-${from + data.length}`;
    const isLast = from + data.length === this.#events.length;
    return { data, next_cursor: isLast ? null : latest_cursor, latest_cursor };
  }

  async #deliver({ id }: { id: string }): Promise<void> {
    if (!this.target) return;
    const timestamp = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({ event: "invoice.paid", created_at: "2026-01-31T09:30:00.000Z", data: {} });
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signDelivery(id, timestamp, body, this.secret),
    };
    await fetch(this.target, { method: "POST", headers, body }).then(
      ({ ok }) => {
        if (ok) this.deliveries += 1;
      },
      () => {},
    );
  }
}

const latestDeliveryMs = 300;
