import product from "../../../src/worker.ts";
import { developmentPages } from "./development-pages.tsx";

export { Admin, OrganizationCoordinator, ReceiverPace } from "../../../src/worker.ts";

/** What `npm start` runs: the product's Worker, with development's pages beside it. */

const pages = developmentPages();

export default {
  ...product,
  fetch: (request, env, execution) =>
    new URL(request.url).pathname.startsWith("/dev/")
      ? pages.fetch(request, env, execution)
      : product.fetch(request, env, execution),
} satisfies ExportedHandler<Env>;
