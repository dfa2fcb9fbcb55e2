import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import type { TestProject } from "vitest/node";
import { behaviours } from "./receivers/behaviours.ts";
import { Recorder } from "./receivers/recorder.ts";

/**
 * Real webhook receivers, good and hostile, for the tests that run in workerd: `inject("receivers")` gives their base
 * URLs. A path is `/<behaviour>/<argument>/<anything>`; end it with something of your own to find your requests again.
 */
export interface Receivers {
  /** Behaviours over http. */
  http: string;
  /** The same over https, with a certificate that nobody signed. */
  selfSigned: string;
  /** Accepts connections and never says a word: `http://` hangs in the answer, `https://` in the handshake. */
  silent: { http: string; https: string };
  /** Refuses connections: nothing listens there. */
  closed: string;
}

declare module "vitest" {
  interface ProvidedContext {
    receivers: Receivers;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const recorder = new Recorder();
  const fixture = (name: string) =>
    readFileSync(`${import.meta.dirname}/receivers/self-signed-for-tests.${name}.pem`);
  const http = createServer(respond(recorder));
  const https = createHttpsServer({ key: fixture("key"), cert: fixture("cert") }, respond(recorder));
  const sockets = new Set<Socket>();
  const silent = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  const nobody = createTcpServer();
  const [httpPort, httpsPort, silentPort, closedPort] = await Promise.all(
    [http, https, silent, nobody].map(listen),
  );
  await close(nobody);
  project.provide("receivers", {
    http: `http://127.0.0.1:${httpPort}`,
    selfSigned: `https://127.0.0.1:${httpsPort}`,
    silent: { http: `http://127.0.0.1:${silentPort}`, https: `https://127.0.0.1:${silentPort}` },
    closed: `http://127.0.0.1:${closedPort}`,
  });
  return async () => {
    http.closeAllConnections();
    https.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await Promise.all([http, https, silent].map(close));
  };
}

/** GET /__requests asks the recorder; anything else is recorded and answered by the path's behaviour. */
const respond =
  (recorder: Recorder): RequestListener =>
  async (request, response) => {
    response.on("error", () => {});
    const url = new URL(request.url ?? "/", "http://receiver");
    if (url.pathname === "/__requests") return recorder.answer(url, response);
    try {
      const { path } = await recorder.record(request, response);
      const [, name = "", argument = ""] = url.pathname.split("/");
      const behaviour = behaviours[name];
      if (behaviour) return behaviour(response, decodeURIComponent(argument), recorder.count(path));
      response.writeHead(404).end();
    } catch {
      response.destroy();
    }
  };

const listen = (server: Server | TcpServer): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

const close = (server: Server | TcpServer): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));
