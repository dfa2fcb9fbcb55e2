import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { type PartnerApiOptions, partnerApi } from "../../client/src/index.ts";
import { openPort } from "../support/open-port.ts";

/**
 * A scripted response. "cut" closes the connection, "silence" never responds, and "stall" stops in the middle of the
 * body.
 */
type Scripted =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | "cut"
  | "silence"
  | "stall";

interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: unknown;
  atMs: number;
}

/** Starts a server with scripted responses, the last one repeated, and creates a client for it. */
export async function scriptedService(script: Scripted[], options: Partial<PartnerApiOptions> = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push({
      method: request.method ?? "",
      url: new URL(request.url ?? "/", "http://service"),
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      atMs: performance.now(),
    });
    const answer = script[Math.min(asked.length, script.length) - 1];
    if (answer === "cut") return request.socket.destroy();
    if (answer === "silence") return;
    if (answer === "stall" || answer === undefined) {
      return response.writeHead(200, { "content-length": "100" }).write("{");
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  const baseUrl = `${await openPort(server)}/`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = partnerApi({
    baseUrl,
    apikey: "pk_test",
    token: "svc_test",
    ...options,
  });
  return { api, asked, baseUrl };
}
