import type { Context, MiddlewareHandler } from "hono";
import type { Refusal } from "../contract/refusal.ts";
import { showPage } from "./layout.tsx";
import { type MessageOptions, MessagePage, notFoundMessage } from "./message.tsx";
import { pageHeaders } from "./security.ts";
import type { SettingsPageApp } from "./settings/page-context.ts";
import { SettingsMessage } from "./settings/settings-page.tsx";

type Status = 400 | 401 | 403 | 404 | 405 | 413 | 429 | 500 | 503;

/**
 * Responds with a page that shows a single message. In a workspace's settings, the page keeps the menu (contract S23).
 */
export function messagePage(
  c: Context,
  status: Status,
  said: MessageOptions,
  headers: Refusal["headers"] = {},
): Response {
  const { workspace } = (c as Context<SettingsPageApp>).var;
  const page = workspace ? <SettingsMessage c={c} {...said} /> : <MessagePage {...said} />;
  return showPage(c, page, status, { ...headers });
}

export const unexpected = {
  heading: "Something went wrong",
  text: "Nothing was lost. Try again in a moment.",
};

export const cannotSave = { heading: "This can't be saved right now" };

/** Returns a link to the current page with the same query. */
export const tryAgain = ({ req }: Context): MessageOptions["link"] => {
  const { pathname, search } = new URL(req.url);
  return { text: "Try again", href: pathname + search };
};

export const wrongMethod = (c: Context): MessageOptions => ({
  heading: "This page doesn't accept forms",
  text: "Open its address in a browser.",
  link: { text: "Open the page", href: c.req.path },
});

/** Replaces an error with a page if a browser made the request, except on the API (contract S23). */
export const pagesForBrowsers: MiddlewareHandler = async (c, next) => {
  await next();
  const { status } = c.res;
  const isRefused = [404, 405, 429].includes(status) || status >= 500;
  const isBrowser = c.req.header("accept")?.includes("text/html") ?? false;
  if (!isRefused || !isBrowser || c.req.path.startsWith("/api-")) return;
  const headers = new Headers(c.res.headers);
  for (const name of ["Content-Type", "Content-Length"]) headers.delete(name);
  c.res = undefined;
  c.res = messagePage(c, status as Status, messageFor(c, status), Object.fromEntries(headers));
  await pageHeaders(c, async () => {});
};

/**
 * The message for paths without a page. Nobody was sent a link to such a path, so it does not suggest asking the
 * sender.
 */
const elsewhere = {
  text: "Check the address, or look for the page in the documentation.",
  link: { text: "Read the documentation", href: "/docs" },
};

function messageFor(c: Context, status: number): MessageOptions {
  if (status === 404) return { ...notFoundMessage, ...elsewhere };
  return status === 405 ? wrongMethod(c) : { ...unexpected, link: tryAgain(c) };
}
