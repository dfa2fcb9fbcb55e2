import { servicesOf } from "../src/services.ts";
import worker from "../src/worker.ts";

/**
 * The Worker with queues that deliver batches at once to a single consumer each; the platform would scale out.
 * `/event/ORGANIZATION/NUMBER` records an event and responds once it is committed.
 */
export { Admin, OrganizationCoordinator } from "../src/worker.ts";

const batchMessages = {
  "webhook-deliveries": 100,
  "webhook-deliveries-slow": 50,
  "webhook-deliveries-failing": 6,
};
type QueueName = keyof typeof batchMessages;

const waiting = new Map<QueueName, unknown[]>();
const consuming = new Set<QueueName>();

const withQueues = (env: Env, execution: ExecutionContext): Env => {
  const queued = { ...env };
  const queue = (name: QueueName) =>
    ({
      async sendBatch(messages: { body: unknown }[]) {
        waiting.set(name, [...(waiting.get(name) ?? []), ...messages.map(({ body }) => body)]);
        execution.waitUntil(consume(name, queued, execution));
      },
    }) as never;
  return Object.assign(queued, {
    WEBHOOK_DELIVERIES: queue("webhook-deliveries"),
    WEBHOOK_DELIVERIES_SLOW: queue("webhook-deliveries-slow"),
    WEBHOOK_DELIVERIES_FAILING: queue("webhook-deliveries-failing"),
  });
};

/** Delivers batches until the queue is empty, unless another request is already doing so. */
async function consume(queue: QueueName, env: Env, execution: ExecutionContext): Promise<void> {
  if (consuming.has(queue)) return;
  consuming.add(queue);
  try {
    for (let bodies = take(queue); bodies.length > 0; bodies = take(queue)) {
      const messages = bodies.map((body) => ({
        id: crypto.randomUUID(),
        body,
        attempts: 1,
        retry() {},
        ack() {},
      }));
      await worker.queue({ queue, messages } as never, env, execution);
    }
  } finally {
    consuming.delete(queue);
  }
}

const take = (queue: QueueName): unknown[] => waiting.get(queue)?.splice(0, batchMessages[queue]) ?? [];

export default {
  async fetch(request, env, execution): Promise<Response> {
    const [, , organizationId = "", number] = new URL(request.url).pathname.split("/");
    await env.DB.prepare(
      `INSERT INTO events (organization_id, event, category, subject_id, payload)
       VALUES (?, 'invoice.paid', 'money', 'subject', json_object('number', ?))`,
    )
      .bind(organizationId, Number(number))
      .run();
    const committedMs = Date.now();
    execution.waitUntil(servicesOf(withQueues(env, execution)).enqueueDueDeliveries(organizationId));
    return Response.json({ committedMs });
  },
} satisfies ExportedHandler<Env>;
