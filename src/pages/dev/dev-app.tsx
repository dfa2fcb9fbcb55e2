import { Hono, type MiddlewareHandler } from "hono";
import { developmentKeysIn } from "../../platform/development-keys.ts";
import { htmlOf } from "../layout.tsx";
import { NotFoundPage } from "../message.tsx";
import type { PageApp } from "../page-app.ts";
import { ComponentsPage } from "./components-page.tsx";
import { showMail, showMailHtml, showMails } from "./mails.tsx";

/** What helps to build the pages: of a service with the keys of development, which only this machine reaches. */
export function devApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.use(inDevelopment);
  app.get("/components", (c) => c.html(htmlOf(<ComponentsPage />)));
  app.get("/mails", showMails);
  app.get("/mails/:id", showMail);
  app.get("/mails/:id/html", showMailHtml);
  // The receivers of the demo workspace's webhooks: one takes everything, one has moved away and refuses.
  app.post("/receivers/crm", (c) => c.json({ ok: true }));
  app.post("/receivers/board", (c) => c.text("The board has moved", 410));
  return app;
}

const inDevelopment: MiddlewareHandler<PageApp> = async (c, next) =>
  developmentKeysIn(c.env).length > 0 ? next() : c.html(htmlOf(<NotFoundPage />), 404);
