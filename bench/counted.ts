import worker from "../src/worker.ts";

/** The Worker with its calls to the gate counted until the answer; never under load. */
export { Admin, OrganizationCoordinator } from "../src/worker.ts";

export default {
  async fetch(request, env, execution): Promise<Response> {
    let trips = 0;
    const gates = env.ORGANIZATION_COORDINATOR;
    const counted = {
      getByName: (name: string) =>
        new Proxy(gates.getByName(name), {
          get:
            (gate, method) =>
            (...values: unknown[]) => {
              trips += 1;
              return Reflect.get(gate, method)(...values);
            },
        }),
    } as typeof gates;
    const answer = await worker.fetch(request, { ...env, ORGANIZATION_COORDINATOR: counted }, execution);
    answer.headers.set("X-Gate-Trips", String(trips));
    return answer;
  },
} satisfies ExportedHandler<Env>;
