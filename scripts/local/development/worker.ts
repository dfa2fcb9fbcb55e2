import product from "../../../src/worker.ts";
import { developmentPages } from "./development-pages.tsx";

export { Admin, OrganizationCoordinator, ReceiverPace } from "../../../src/worker.ts";

/** The Worker for `npm start`: the production Worker plus the development pages. */

const pages = developmentPages();

export default {
  ...product,
  fetch: (request, env, execution) => {
    const { pathname } = new URL(request.url);
    // With several cells, only the front has a cron trigger; it calls each cell.
    if (pathname === "/dev/minute" && env.CELL !== undefined) return runMinute(env);
    return pathname.startsWith("/dev/")
      ? pages.fetch(request, env, execution)
      : product.fetch(request, env, execution);
  },
} satisfies ExportedHandler<Env>;

/** The cron jobs do not use the controller. */
const noController = {} as ScheduledController;

async function runMinute(env: Env): Promise<Response> {
  await product.scheduled(noController, env);
  return new Response();
}
