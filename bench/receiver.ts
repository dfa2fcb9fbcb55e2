import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook receiver that returns 200 after `answerMs`. */
export interface BenchReceiver {
  url: string;
  answerMs: number;
  received: number;
  close(): void;
}

export async function receive(): Promise<BenchReceiver> {
  const server = createServer((request, response) => {
    receiver.received += 1;
    request.resume();
    const answer = () => response.end("ok");
    if (receiver.answerMs === 0) answer();
    else setTimeout(answer, receiver.answerMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: BenchReceiver = {
    url: `http://127.0.0.1:${port}/`,
    answerMs: 0,
    received: 0,
    close: () => server.close(),
  };
  return receiver;
}
