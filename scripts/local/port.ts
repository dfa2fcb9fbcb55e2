import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ephemeral ports of Linux (from 32768) and other systems. */
const ports = { from: 10_000, to: 32_767 };

/**
 * Returns a free port outside the ephemeral range, so that an outgoing connection cannot take it before the server
 * listens or while it restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to + 1);
    if ((await errorOfListening(port, "127.0.0.1")) === undefined) return port;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "this user may not open it",
};

/** Explains why a server cannot listen on a port; undefined if it can. */
export async function portProblem(port: number, host = "127.0.0.1"): Promise<string | undefined> {
  const code = await errorOfListening(port, host);
  if (code === undefined) return undefined;
  if (code === "EADDRINUSE") return `Port ${port} is taken: name another one, e.g. PORT=8788 npm start`;
  return `Port ${port} cannot be opened at ${host}: ${reasons[code] ?? code}`;
}

function errorOfListening(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? String(error)));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

const defaultPort = 8787;

export function portOf(parameter: string | undefined, variable: string | undefined): number {
  const port = Number(parameter ?? variable ?? defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error("PORT must be 1 to 65535");
  return port;
}
