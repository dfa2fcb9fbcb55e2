import type { ReceivedRequest, Reply, ScriptedAnswer } from "./service.ts";

export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const startMs = Date.parse("2026-01-31T09:30:00.000Z");
export const momentAt = (ms: number) => new Date(startMs + ms).toISOString();

export interface ModelClient {
  id: string;
  name: string;
  updated_at: string;
}

/** The parts of the service that clients rely on: idempotency keys, lists by updated_at and the event feed. */
export class Model {
  readonly rows: ModelClient[] = [];
  readonly events: string[] = [];
  readonly #made = new Map<string, ModelClient>();
  #committed = Promise.withResolvers<void>();

  reply = ({ method, url, body, headers }: ReceivedRequest): ScriptedAnswer => {
    if (method === "POST")
      return this.#create(String(headers["idempotency-key"]), body as { company_name: string });
    return url.pathname === "/api-v1/events" ? this.#feed(url.searchParams) : this.#list(url.searchParams);
  };

  /** Like `reply`, but supports long polling. */
  replyWaiting = async (asked: ReceivedRequest): Promise<ScriptedAnswer> => {
    const { searchParams: query } = asked.url;
    if (query.get("wait") === "25" && placeIn(query) === this.events.length) await this.#committed.promise;
    return this.reply(asked);
  };

  /** Inserts or updates a row. An updated row moves to the end of the list. */
  write(name: string, ms: number, id = `client-${String(this.rows.length).padStart(4, "0")}`): void {
    const index = this.rows.findIndex((row) => row.id === id);
    if (index >= 0) this.rows.splice(index, 1);
    this.rows.push({ id, name, updated_at: momentAt(ms) });
    this.rows.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  commit(): string {
    const id = `event-${String(this.events.length).padStart(4, "0")}`;
    this.events.push(id);
    this.#committed.resolve();
    this.#committed = Promise.withResolvers();
    return id;
  }

  #create(key: string, { company_name: name }: { company_name: string }): ScriptedAnswer {
    const found = this.#made.get(key);
    if (found) return { status: 200, body: { ...found, idempotent_replay: true } };
    this.write(name, this.rows.length);
    const made = this.rows.at(-1) as ModelClient;
    this.#made.set(key, made);
    return { status: 201, body: made };
  }

  #list(query: URLSearchParams): ScriptedAnswer {
    const limit = Number(query.get("limit") ?? 50);
    const after = query.get("cursor") ?? "";
    const since = query.get("updated_since") ?? "";
    const found = this.rows.filter((row) => row.updated_at >= since && placeOf(row) > after);
    const data = found.slice(0, limit);
    const last = data.at(-1);
    return { status: 200, body: { data, next_cursor: last && found.length > limit ? placeOf(last) : null } };
  }

  #feed(query: URLSearchParams): ScriptedAnswer {
    const from = placeIn(query);
    const data = this.events.slice(from, from + 50).map((id) => ({
      ...{ id, event: "invoice.paid", category: "money", created_at: momentAt(0), subject_id: "invoice" },
      data: { invoice_id: "invoice" },
    }));
    const latest_cursor = `after-${from + data.length}`;
    const isLast = from + data.length === this.events.length;
    return { status: 200, body: { data, next_cursor: isLast ? null : latest_cursor, latest_cursor } };
  }
}

const placeIn = (query: URLSearchParams) => Number(query.get("cursor")?.slice("after-".length) ?? 0);

const placeOf = ({ updated_at, id }: ModelClient) => `${updated_at} ${id}`;

/**
 * A network that loses, truncates or repeats the model's responses. A second call of `reply` simulates a request that
 * arrives twice.
 */
export function unreliable(model: Model, random: () => number) {
  return (asked: ReceivedRequest): Reply => {
    const luck = random();
    if (luck < 0.15) return "cut";
    const answer = model.reply(asked);
    if (luck < 0.3) return "cut";
    if (luck < 0.4) return { halved: answer };
    if (luck < 0.45) return { shortened: answer };
    if (luck < 0.55) return model.reply(asked);
    if (luck < 0.6) return { status: 503, body: "<h1>Down</h1>", headers: { "content-type": "text/html" } };
    if (luck < 0.65) return { twice: answer };
    return answer;
  };
}
