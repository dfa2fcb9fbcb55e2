import { servicesOf } from "../src/services.ts";
import worker, { OrganizationCoordinator as Coordinator } from "../src/worker.ts";
import { watchRows } from "./coordinator-rows.ts";
import type { Used } from "./prices.ts";

/**
 * The Worker, instrumented to count everything that is billed except D1 and CPU. Load tests do not use it. Extra paths:
 * `/used` returns the counters, `/minute` runs the cron, `/enqueue` enqueues an organization's deliveries like a
 * request does, `/forget` deletes its request log, and `/deliver` delivers what was sent to the queues.
 */
export { Admin } from "../src/worker.ts";

const used = {
  requests: 0,
  coordinatorRequests: 0,
  coordinatorGigabyteSeconds: 0,
  queueOperations: 0,
  logLines: 0,
} satisfies Partial<Used>;
const coordinatorGigabytes = 0.128;
const operationsOfMessage = 3;

for (const name of ["log", "error"] as const)
  console[name] = () => {
    used.logLines += 1;
  };

/** Global, because the coordinators share this isolate with the Worker. */
const rowCounts: ReturnType<typeof watchRows>[] = [];

export class OrganizationCoordinator extends Coordinator {
  constructor(state: DurableObjectState, env: Env) {
    rowCounts.push(watchRows(state.storage.sql));
    super(state, env);
  }

  /** The log's rows are deleted after some days, which is also billed. */
  forget(): void {
    this.ctx.storage.sql.exec("DELETE FROM logged_requests");
  }
}

const sent: { queue: string; bodies: unknown[] }[] = [];

const counting = (env: Env): Env => ({
  ...env,
  ORGANIZATION_COORDINATOR: countedObjects(env.ORGANIZATION_COORDINATOR),
  // Billed like the coordinator's requests.
  RECEIVER_PACE: countedObjects(env.RECEIVER_PACE),
  WEBHOOK_DELIVERIES: countedQueue("webhook-deliveries"),
  WEBHOOK_DELIVERIES_SLOW: countedQueue("webhook-deliveries-slow"),
  WEBHOOK_DELIVERIES_FAILING: countedQueue("webhook-deliveries-failing"),
});

const countedObjects = (objects: { getByName(name: string): object }) =>
  ({ getByName: (name: string) => countedStub(objects.getByName(name)) }) as never;

const countedStub = (stub: object) =>
  new Proxy(stub, {
    get:
      (object, method) =>
      async (...values: unknown[]) => {
        used.coordinatorRequests += 1;
        const startedMs = performance.now();
        try {
          return await Reflect.get(object, method)(...values);
        } finally {
          const seconds = (performance.now() - startedMs) / 1000;
          used.coordinatorGigabyteSeconds += seconds * coordinatorGigabytes;
        }
      },
  });

const countedQueue = (queue: string) =>
  ({
    sendBatch(messages: { body: unknown }[]) {
      used.queueOperations += messages.length * operationsOfMessage;
      sent.push({ queue, bodies: messages.map(({ body }) => body) });
    },
  }) as never;

/** Invokes the consumer once per sent batch, as if the queue never merged batches. */
async function deliverSent(env: Env, execution: ExecutionContext): Promise<void> {
  for (const { queue, bodies } of sent.splice(0)) {
    used.requests += 1;
    const messages = bodies.map((body) => ({
      id: crypto.randomUUID(),
      body,
      attempts: 1,
      retry() {},
      ack() {},
    }));
    await worker.queue({ queue, messages } as never, env, execution);
  }
}

function usedSoFar(): Partial<Used> {
  const rows = rowCounts.map((count) => count());
  return {
    ...used,
    coordinatorRowsRead: rows.reduce((sum, { read }) => sum + read, 0),
    coordinatorRowsWritten: rows.reduce((sum, { written }) => sum + written, 0),
  };
}

export default {
  async fetch(request, env, execution): Promise<Response> {
    const counted = counting(env);
    const { pathname } = new URL(request.url);
    const [, task, organizationId = ""] = pathname.split("/");
    if (task === "used") return Response.json(usedSoFar());
    if (task === "minute") await worker.scheduled({} as never, counted);
    else if (task === "enqueue") await servicesOf(counted).enqueueDueDeliveries(organizationId);
    else if (task === "deliver") await deliverSent(counted, execution);
    else if (task === "forget") await forget(env, organizationId);
    else return count(request, counted, execution);
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;

async function forget(env: Env, organizationId: string): Promise<void> {
  const coordinator: object = env.ORGANIZATION_COORDINATOR.getByName(organizationId);
  // The cast is safe: the binding is to the class above.
  await (coordinator as { forget(): Promise<void> }).forget();
}

async function count(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
  used.requests += 1;
  const tripsBefore = used.coordinatorRequests;
  const answer = await worker.fetch(request as never, env, execution);
  answer.headers.set("X-Coordinator-Trips", String(used.coordinatorRequests - tripsBefore));
  return answer;
}
