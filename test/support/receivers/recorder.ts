import type { IncomingMessage, ServerResponse } from "node:http";

export interface RecordedRequest {
  method: string;
  /** Includes the query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  bodyBase64: string;
  receivedAt: string;
  /** Whether the sender disconnected before the response was complete. */
  abandoned: boolean;
}

/** Records all requests, for `GET /__requests?path=<path with query>`. Without `path`, returns all of them. */
export class Recorder {
  readonly #requests: RecordedRequest[] = [];

  async record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      bodyBase64: Buffer.concat(chunks).toString("base64"),
      receivedAt: new Date().toISOString(),
      abandoned: false,
    };
    response.on("close", () => {
      recorded.abandoned = !response.writableFinished;
    });
    this.#requests.push(recorded);
    return recorded;
  }

  /** The number of requests so far to exactly this path. */
  count(path: string): number {
    return this.#requests.filter((request) => request.path === path).length;
  }

  answer(url: URL, response: ServerResponse): void {
    const path = url.searchParams.get("path");
    const found = this.#requests.filter((request) => path === null || request.path === path);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(found));
  }
}
