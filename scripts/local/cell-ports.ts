/** Opens a port for each cell, because `wrangler dev` listens only for its first Worker, the front. */
import { createServer, request, type Server } from "node:http";
import { cellHeader } from "./development/cell-header.ts";
import { freePort } from "./port.ts";

interface CellPort {
  name: string;
  url: string;
}

export async function openCellPorts(
  names: readonly string[],
  frontPort: number,
): Promise<{ doors: CellPort[]; servers: Server[] }> {
  const servers: Server[] = [];
  const doors: CellPort[] = [];
  for (const name of names) {
    const port = await freePort();
    const server = serveCell(name, frontPort);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    servers.push(server);
    doors.push({ name, url: `http://127.0.0.1:${port}` });
  }
  return { doors, servers };
}

const serveCell = (name: string, port: number): Server =>
  createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const passed = request(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, [cellHeader]: name } },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
