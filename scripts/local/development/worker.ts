import product from "../../../src/worker.ts";
import { developmentPages } from "./development-pages.tsx";

export { Admin, OrganizationCoordinator, ReceiverPace } from "../../../src/worker.ts";

/** What `npm start` runs: the product's Worker, together with development's pages. */

const pages = developmentPages();

export default {
  ...product,
  fetch: (request, env, execution) => {
    const { pathname } = new URL(request.url);
    // Of one of several cells, whose front alone has a cron.
    if (pathname === "/dev/minute" && env.CELL !== undefined) return runMinute(env);
    return pathname.startsWith("/dev/")
      ? pages.fetch(request, env, execution)
      : product.fetch(request, env, execution);
  },
} satisfies ExportedHandler<Env>;

/** The jobs of a minute do not look at it. */
const noController = {} as ScheduledController;

async function runMinute(env: Env): Promise<Response> {
  await product.scheduled(noController, env);
  return new Response();
}
