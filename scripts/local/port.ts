import { createServer } from "node:net";

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(true));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}

const defaultPort = 8787;

/** The port of a start: what its parameters name, else what the environment does. */
export function portOf(parameter: string | undefined, variable: string | undefined): number {
  const port = Number(parameter ?? variable ?? defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error("PORT must be 1 to 65535");
  return port;
}
