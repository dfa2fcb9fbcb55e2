/**
 * Runs the hostile workspace in a separate thread, so that its load does not distort the quiet workspace's timings. It
 * reports when it is ready, starts and stops attacking on messages, and reports its results.
 */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { Hostile } from "./hostile.ts";
import { serviceAt } from "./service.ts";

if (!parentPort) throw new Error("This is a thread of neighbors.ts.");
const hostile = new Hostile(serviceAt(workerData, localGatewayKey()));
await hostile.prepare();
parentPort.postMessage("prepared");
await once(parentPort, "message");
const stop = new AbortController();
once(parentPort, "message").then(() => stop.abort());
await hostile.attackUntil(stop.signal);
parentPort.postMessage(hostile.seen);
