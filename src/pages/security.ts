import type { Context, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { authorizePath } from "../contract/connect-paths.ts";
import { appOf } from "../workspace/connections/app-address.ts";
import { providers } from "./embed-providers.ts";

const self = "'self'";
const none = "'none'";

/** Frames are allowed only on a page that was asked to load one, and only from the providers that we know. */
const frameSources = (c: Context) =>
  c.req.query("embed") === "load" ? [...new Set(providers.map(({ origin }) => origin))].join(" ") : none;

/** The settings, reviews and the check of proofs load a script of ours. */
const scriptSources = (c: Context) =>
  /^\/(?:(?:settings|review)\/|verify(?:\/|$))/.test(c.req.path) ? self : none;

/** A mail brings its own styles when development shows it. */
const styleSources = (c: Context) =>
  /^\/dev\/mails\/[^/]+\/html$/.test(c.req.path) ? "'unsafe-inline'" : self;

/** The scripts of the settings refresh, a review says that it was opened, and a proof is checked with our keys. */
const connectSources = scriptSources;

/** A browser follows the redirect of a form only where this allows it: the app's, on the page that asks for it. */
function formActions(c: Context): string {
  const app =
    c.req.path === authorizePath ? appOf(c.req.query("client_id"), c.req.query("redirect_uri")) : null;
  // No source of a policy can name an IPv6 address: `*` leaves the port.
  return app ? `${self} ${app.redirect.origin.replace("[::1]", "*")}` : self;
}

/**
 * Nothing but our own stylesheet, fonts, images and forms: no page has inline scripts or styles, so there is no nonce
 * either. The icons of fields are data URLs. COEP would block the providers' frames.
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
  // Every response gets it, only over https (http/every-answer.ts).
  strictTransportSecurity: false,
  xFrameOptions: "DENY",
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
});

/** A page, even a refusal, is only for its reader: no search engine and no cache keeps it. */
export const privatePage =
  (isPublic: (c: Context) => boolean): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (isPublic(c)) return;
    c.res.headers.set("X-Robots-Tag", "noindex, nofollow");
    c.res.headers.set("Cache-Control", "private, no-store");
  };

/** Changes nothing, so it may come from anywhere. */
const isSafe = (method: string) => ["GET", "HEAD", "OPTIONS"].includes(method);

/**
 * Whether another site causes this request, whatever its body is sent as. Our pages send no referrer, so browsers send
 * `null` as the origin of their forms, and `same-origin` in Sec-Fetch-Site. Older ones send only `null`: their cookies
 * are SameSite. A program that sends neither header is not a browser.
 */
export function isForeign({ req }: Context): boolean {
  const origin = req.header("origin");
  const site = req.header("sec-fetch-site");
  if (isSafe(req.method) || site === "same-origin" || origin === new URL(req.url).origin) return false;
  return site !== undefined || (origin !== undefined && origin !== "null");
}
