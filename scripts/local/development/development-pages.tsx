import { Hono, type MiddlewareHandler } from "hono";
import { showPage } from "../../../src/pages/layout.tsx";
import { NotFoundPage } from "../../../src/pages/message.tsx";
import type { PageApp } from "../../../src/pages/page-app.ts";
import { pageHeaders, privatePage } from "../../../src/pages/security.ts";
import { developmentKeysIn } from "../../../src/platform/development-keys.ts";
import { servicesOf } from "../../../src/services.ts";
import { ComponentsPage } from "./components-page.tsx";
import { showMail, showMailHtml, showMails } from "./mails.tsx";

/** Tools for building the pages, under `/dev`. Available only on a local service with development keys. */
export function developmentPages(): Hono<PageApp> {
  const app = new Hono<PageApp>().basePath("/dev");
  app.use(
    pageHeaders,
    privatePage(() => false),
    inDevelopment,
  );
  app.use(async (c, next) => {
    c.set("services", servicesOf(c.env));
    await next();
  });
  app.get("/components", (c) => showPage(c, <ComponentsPage />));
  app.get("/mails", showMails);
  app.get("/mails/:id", showMail);
  app.get("/mails/:id/html", showMailHtml);
  // Replaces the e-mail provider: puts reports that are posted here on the queue.
  app.post("/email-events", async (c) => {
    await c.env.EMAIL_EVENTS.send(await c.req.json());
    return c.json({ ok: true }, 202);
  });
  // The demo workspace's webhook receivers. One accepts every delivery, and the other rejects every delivery.
  app.post("/receivers/crm", (c) => c.json({ ok: true }));
  app.post("/receivers/board", (c) => c.text("The board has moved", 410));
  return app;
}

const inDevelopment: MiddlewareHandler<PageApp> = async (c, next) =>
  developmentKeysIn(c.env).length > 0 ? next() : showPage(c, <NotFoundPage />, 404);
