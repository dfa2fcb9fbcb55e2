/** What `npm start` serves: the Worker, and beside it what there is in development alone. */
import worker from "../../src/worker.ts";
import { receive, receiversPath } from "./receivers.ts";

export { Admin, OrganizationCoordinator } from "../../src/worker.ts";

export default {
  ...worker,
  fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(receiversPath)) return receive(pathname);
    return worker.fetch(request, env, execution);
  },
} satisfies ExportedHandler<Env>;
