import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { parentPort } from "node:worker_threads";
import type { Receivers } from "../hostile-receivers.ts";
import { behaviors } from "./behaviors.ts";
import { Recorder } from "./recorder.ts";

/** The receivers' thread, which posts their URLs to the parent thread. */

const recorder = new Recorder();

/** Returns the recorded requests for GET /__requests. Any other request is recorded and gets its path's behavior. */
const respond: RequestListener = async (request, response) => {
  response.on("error", () => {});
  const url = new URL(request.url ?? "/", "http://receiver");
  if (url.pathname === "/__requests") return recorder.answer(url, response);
  try {
    const { path } = await recorder.record(request, response);
    const [, name = "", argument = ""] = url.pathname.split("/");
    const behavior = behaviors[name];
    if (behavior) return behavior(response, decodeURIComponent(argument), recorder.count(path));
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

const pem = (name: string) => readFileSync(`${import.meta.dirname}/self-signed-for-tests.${name}.pem`);
const silent = createTcpServer((socket) => void socket.on("error", () => {}));
const nobody = createTcpServer();
const [httpPort, httpsPort, silentPort, closedPort] = await Promise.all(
  [
    createServer(respond),
    createHttpsServer({ key: pem("key"), cert: pem("cert") }, respond),
    silent,
    nobody,
  ].map(listen),
);
await new Promise((closed) => nobody.close(closed));

parentPort?.postMessage({
  http: `http://127.0.0.1:${httpPort}`,
  selfSigned: `https://127.0.0.1:${httpsPort}`,
  silent: { http: `http://127.0.0.1:${silentPort}`, https: `https://127.0.0.1:${silentPort}` },
  closed: `http://127.0.0.1:${closedPort}`,
} satisfies Receivers);
