import worker from "../src/worker.ts";

/** The Worker with its calls to the coordinator counted until the answer; never under load. */
export { Admin, OrganizationCoordinator } from "../src/worker.ts";

export default {
  async fetch(request, env, execution): Promise<Response> {
    let trips = 0;
    const coordinators = env.ORGANIZATION_COORDINATOR;
    const counted = {
      getByName: (name: string) =>
        new Proxy(coordinators.getByName(name), {
          get:
            (coordinator, method) =>
            (...values: unknown[]) => {
              trips += 1;
              return Reflect.get(coordinator, method)(...values);
            },
        }),
    } as typeof coordinators;
    const answer = await worker.fetch(request, { ...env, ORGANIZATION_COORDINATOR: counted }, execution);
    answer.headers.set("X-Coordinator-Trips", String(trips));
    return answer;
  },
} satisfies ExportedHandler<Env>;
