import { type Context, Hono } from "hono";
import { brandStyles } from "../../core/colors.ts";
import { run } from "../../db/query.ts";
import { findLogo } from "../../workspace/brands/read-brand.ts";
import { showPage } from "../layout.tsx";
import { NotFoundPage } from "../message.tsx";
import type { PageApp } from "../page-app.ts";

type C = Context<PageApp>;

/** Each URL contains a color or a content digest, so its content never changes. */
const forEver = { "Cache-Control": "public, max-age=31536000, immutable" };

/** Serves workspaces' branding without a session: a stylesheet for each color, and logos. */
export function brandApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/:stylesheet", showStylesheet);
  app.get("/:organization/:logo", showLogo);
  return app;
}

const notFound = (c: C): Response => showPage(c, <NotFoundPage />, 404);

function showStylesheet(c: C): Response {
  const [, color] = /^([0-9a-f]{6})\.css$/.exec(c.req.param("stylesheet") ?? "") ?? [];
  if (!color) return notFound(c);
  return c.body(brandStyles(`#${color}`), 200, {
    "Content-Type": "text/css; charset=utf-8",
    ...forEver,
  }) as Response;
}

/** A malformed logo name is refused without a round trip. */
async function showLogo(c: C): Promise<Response> {
  const { organization = "", logo = "" } = c.req.param();
  const [, sha256] = /^([0-9a-f]{64})\.(?:png|jpg|webp)$/.exec(logo) ?? [];
  const found = sha256 ? await run(c.get("services").db, findLogo(organization, sha256)) : null;
  if (!found?.logo || !found.logo_content_type) return notFound(c);
  return c.body(Uint8Array.fromBase64(found.logo), 200, {
    "Content-Type": found.logo_content_type,
    ...forEver,
  }) as Response;
}
