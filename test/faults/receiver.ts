import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { openPort } from "../support/open-port.ts";

export interface Receipt {
  deliveryId: string;
  body: string;
  answered: number;
  atMs: number;
}

export interface FaultReceiver {
  url: string;
  receipts: Receipt[];
  /** Requests that failed verification with a Standard Webhooks client. */
  unverified: number;
  secret: string;
  close(): void;
}

/** Starts a receiver that runs for the whole suite. `answer` returns the status for a delivery's nth request. */
export async function startReceiver(answer: (visit: number) => number): Promise<FaultReceiver> {
  const visits = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The service was killed while sending the request, so nothing was received.
    }
    const body = Buffer.concat(chunks).toString();
    const deliveryId = String(request.headers["webhook-id"]);
    try {
      new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
    } catch {
      receiver.unverified += 1;
    }
    const visit = (visits.get(deliveryId) ?? 0) + 1;
    visits.set(deliveryId, visit);
    const answered = answer(visit);
    receiver.receipts.push({ deliveryId, body, answered, atMs: Date.now() });
    response.writeHead(answered).end();
  });
  const receiver: FaultReceiver = {
    url: `${await openPort(server)}/webhooks`,
    receipts: [],
    unverified: 0,
    secret: "",
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
