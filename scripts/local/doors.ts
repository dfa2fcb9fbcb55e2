/** Opens a port for each cell, because `wrangler dev` listens only for the first Worker, the front. */
import { createServer, request, type Server } from "node:http";
import { doorHeader } from "./development/door.ts";
import { freePort } from "./port.ts";

export interface Door {
  name: string;
  url: string;
}

/** Opens a port for each cell. The ports close when this process ends. */
export async function openDoors(
  names: readonly string[],
  frontPort: number,
): Promise<{ doors: Door[]; servers: Server[] }> {
  const servers: Server[] = [];
  const doors: Door[] = [];
  for (const name of names) {
    const port = await freePort();
    const server = doorTo(name, frontPort);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    servers.push(server);
    doors.push({ name, url: `http://127.0.0.1:${port}` });
  }
  return { doors, servers };
}

const doorTo = (name: string, port: number): Server =>
  createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const passed = request(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, [doorHeader]: name } },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
