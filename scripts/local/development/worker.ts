import product from "../../../src/worker.ts";
import { developmentPages } from "./development-pages.tsx";

export { Admin, OrganizationCoordinator, ReceiverPace } from "../../../src/worker.ts";

/** What `npm start` runs: the product's Worker, together with development's pages. */

const pages = developmentPages();

export default {
  ...product,
  fetch: (request, env, execution) =>
    new URL(request.url).pathname.startsWith("/dev/")
      ? pages.fetch(request, env, execution)
      : product.fetch(request, env, execution),
} satisfies ExportedHandler<Env>;
