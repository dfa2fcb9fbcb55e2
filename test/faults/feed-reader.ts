import { setTimeout as pause } from "node:timers/promises";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";

const pollMs = 20;
const pageRecords = 50;

/**
 * Keeps the cursor from the last complete response, so that the events in an interrupted response are requested again.
 */
export class FeedReader {
  readonly seen: string[] = [];
  readonly #token: string;
  readonly #baseUrl: () => string;
  #cursor = "";

  /** `baseUrl` changes each time the service restarts. */
  constructor(token: string, baseUrl: () => string) {
    this.#token = token;
    this.#baseUrl = baseUrl;
  }

  async readUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.readPage().catch(() => {});
      await pause(pollMs);
    }
  }

  async readPage(): Promise<number> {
    const query = `limit=${pageRecords}${this.#cursor && `&cursor=${this.#cursor}`}`;
    const headers = { apikey: localGatewayKey(), authorization: `Bearer ${this.#token}` };
    const answer = await fetch(new URL(`/api-v1/events?${query}`, this.#baseUrl()), { headers });
    if (!answer.ok) throw new Error(`the feed answered ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { data: { id: string }[]; latest_cursor: string };
    this.seen.push(...page.data.map(({ id }) => id));
    this.#cursor = page.latest_cursor;
    return page.data.length;
  }
}
