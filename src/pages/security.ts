import type { Context, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { authorizePath } from "../contract/connect-paths.ts";
import { appOf } from "../workspace/connections/app-address.ts";
import { providers } from "./embed-providers.ts";

const self = "'self'";
const none = "'none'";

/** Only a page whose visitor asked to load an embed allows frames, and only from known providers. */
const frameSources = (c: Context) =>
  c.req.query("embed") === "load" ? [...new Set(providers.map(({ origin }) => origin))].join(" ") : none;

/** The settings, the reviews and the verification page load one of our scripts. */
const scriptSources = (c: Context) =>
  /^\/(?:(?:settings|review)\/|verify(?:\/|$))/.test(c.req.path) ? self : none;

/** E-mails have inline styles, and development shows them as pages. */
const styleSources = (c: Context) =>
  /^\/dev\/mails\/[^/]+\/html$/.test(c.req.path) ? "'unsafe-inline'" : self;

/** Our scripts refresh the settings, report that a review was opened, and fetch the keys that verify a proof. */
const connectSources = scriptSources;

/** Browsers follow a form's redirect only where this directive allows it: here, to the app that asks for access. */
function formActions(c: Context): string {
  const app =
    c.req.path === authorizePath ? appOf(c.req.query("client_id"), c.req.query("redirect_uri")) : null;
  // A CSP source cannot be an IPv6 address, so this uses `*` with the port.
  return app ? `${self} ${app.redirect.origin.replace("[::1]", "*")}` : self;
}

/**
 * Allows only our own stylesheet, fonts, images and forms. No page has inline scripts or styles, so no nonce is needed.
 * Field icons are data URLs. There is no COEP, because it would block embeds from the providers.
 */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: [none],
    styleSrc: [styleSources],
    scriptSrc: [scriptSources],
    connectSrc: [connectSources],
    imgSrc: [self, "data:"],
    fontSrc: [self],
    formAction: [formActions],
    frameSrc: [frameSources],
    frameAncestors: [none],
    baseUri: [none],
  },
  referrerPolicy: "no-referrer",
  // Every response gets HSTS, over HTTPS only (http/every-answer.ts).
  strictTransportSecurity: false,
  xFrameOptions: "DENY",
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
});

/** Keeps pages, even refusals, out of search engines and caches, because they are private. */
export const privatePage =
  (isPublic: (c: Context) => boolean): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (isPublic(c)) return;
    c.res.headers.set("X-Robots-Tag", "noindex, nofollow");
    c.res.headers.set("Cache-Control", "private, no-store");
  };

/** A request with a safe method changes nothing, so it may come from any site. */
const isSafe = (method: string) => ["GET", "HEAD", "OPTIONS"].includes(method);

/**
 * Whether another site made this request, whatever its content type. Our pages send no referrer, so browsers send their
 * forms' origin as `null`, with `same-origin` in Sec-Fetch-Site. Older browsers send only `null`, but our cookies are
 * SameSite. A client that sends neither header is not a browser.
 */
export function isForeign({ req }: Context): boolean {
  const origin = req.header("origin");
  const site = req.header("sec-fetch-site");
  if (isSafe(req.method) || site === "same-origin" || origin === new URL(req.url).origin) return false;
  return site !== undefined || (origin !== undefined && origin !== "null");
}
