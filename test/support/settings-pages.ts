import { settingsApp } from "../../src/pages/settings/settings-app.tsx";

/** Every page and form of a workspace's settings, with its path below `/settings`. */
export const settingsRoutes = [
  ...new Map(
    settingsApp()
      .routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/:slug"))
      .map(({ method, path }) => [`${method} ${path}`, { method, path }]),
  ).values(),
];

/** The page that needs an endpoint in its query, which has separate tests. */
const replay = "/deliveries/replay";

/** The pages that need no id, by their paths below `/settings/{slug}`, which is the overview. */
export const settingsPages = settingsRoutes
  .filter(({ method, path }) => method === "GET" && !path.includes(":id"))
  .map(({ path }) => path.replace("/:slug", ""))
  .filter((path) => path !== replay);
