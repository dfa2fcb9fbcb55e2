import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { openPort } from "../../support/open-port.ts";

export interface ReceivedRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: unknown;
  atMs: number;
}

export interface ScriptedAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A fault instead of a complete response. */
export type Fault =
  | "cut"
  | "silence"
  /** Only the head and one byte of the body arrive. */
  | "stall"
  | "garbage"
  /** Only the first half of the body arrives, with the full Content-Length. */
  | { halved: ScriptedAnswer }
  /** Only the first half of the body arrives, with a matching Content-Length. */
  | { shortened: ScriptedAnswer }
  /** The body arrives one byte at a time, too slowly for the timeout. */
  | { dripping: ScriptedAnswer }
  | { twice: ScriptedAnswer };

export type Reply = ScriptedAnswer | Fault;

/** Either responses in order, with the last one repeated, or a function that responds to each request. */
export type Script = readonly Reply[] | ((asked: ReceivedRequest, count: number) => Reply | Promise<Reply>);

const dripMs = 40;

export class ScriptedService {
  readonly asked: ReceivedRequest[] = [];
  readonly #server: Server;

  constructor(script: Script) {
    const replyTo = typeof script === "function" ? script : inOrder(script);
    this.#server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const asked = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", "http://service"),
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
        atMs: performance.now(),
      };
      this.asked.push(asked);
      deliver(await replyTo(asked, this.asked.length), response);
    });
  }

  listen(): Promise<string> {
    return openPort(this.#server);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const inOrder = (script: readonly Reply[]) => (_: ReceivedRequest, count: number) =>
  script[Math.min(count, script.length) - 1] ?? { status: 500 };

function deliver(reply: Reply, response: ServerResponse): unknown {
  const socket = response.socket;
  if (reply === "silence") return;
  if (reply === "cut") return void socket?.destroy();
  if (reply === "garbage") return void socket?.end("\0\0 no answer \r\n\r\n");
  if (reply === "stall") return void response.writeHead(200, { "content-length": "100" }).write("{");
  if ("halved" in reply) {
    const bytes = begin(reply.halved, response);
    return void response.write(bytes.subarray(0, bytes.length / 2), () => socket?.destroy());
  }
  if ("shortened" in reply) {
    const { body, ...rest } = reply.shortened;
    const text = textOf(body);
    return deliver({ ...rest, body: text.slice(0, text.length / 2) }, response);
  }
  if ("dripping" in reply) {
    const bytes = begin(reply.dripping, response);
    let sent = 0;
    const drip = setInterval(() => response.write(bytes.subarray(sent, ++sent)), dripMs);
    response.on("close", () => clearInterval(drip));
    return;
  }
  if ("twice" in reply) {
    const bytes = textOf(reply.twice.body);
    const head = `HTTP/1.1 ${reply.twice.status} OK\r\ncontent-type: application/json`;
    const whole = `${head}\r\ncontent-length: ${Buffer.byteLength(bytes)}\r\n\r\n${bytes}`;
    return void socket?.write(whole + whole);
  }
  response.end(begin(reply, response));
}

/** Writes the headers and returns the body's bytes. */
function begin({ status, body, headers }: ScriptedAnswer, response: ServerResponse): Buffer {
  const bytes = body instanceof Buffer ? body : Buffer.from(textOf(body));
  const told = { "content-type": "application/json", "content-length": String(bytes.length), ...headers };
  response.writeHead(status, told);
  return bytes;
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body ?? {}));
