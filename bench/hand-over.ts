/** Passes a batch of queue messages to a Worker, like the platform does. */

/** A service binding's methods other than fetch (compatibility flag service_binding_extra_handlers). */
interface Consumer {
  queue(
    name: string,
    messages: { id: string; timestamp: Date; attempts: number; body: unknown }[],
  ): Promise<object>;
}

interface HandOverEnv {
  app: Consumer;
  "baseline-webhook": Consumer;
}

export interface HandOver {
  consumer: keyof HandOverEnv;
  bodies: unknown[];
}

export default {
  async fetch(request, env): Promise<Response> {
    const { consumer, bodies } = await request.json<HandOver>();
    const messages = bodies.map((body) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      attempts: 1,
      body,
    }));
    return Response.json(await env[consumer].queue("webhook-deliveries", messages));
  },
} satisfies ExportedHandler<HandOverEnv>;
