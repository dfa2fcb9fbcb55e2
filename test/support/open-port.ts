import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Opens a server on a free local port, and returns its origin, such as `http://127.0.0.1:41235`. */
export async function openPort(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
