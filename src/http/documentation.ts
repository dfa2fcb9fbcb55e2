import { dayMs } from "../contract/durations.ts";
import { refuse } from "../contract/refusal.ts";
import { placeholders } from "./placeholders.ts";
import { isLoopback } from "./plain-http.ts";
import { errorResponse } from "./responses.ts";

const securityPath = "/.well-known/security.txt";
const catalogPath = "/.well-known/api-catalog";

/** Documentation paths, which need no key. scripts/docs.ts generates the files. */
export const documentationPaths = [
  "/",
  "/docs",
  "/docs/",
  "/docs/{file}",
  "/docs/pictures/{file}",
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/api-v1/openapi.json",
  securityPath,
  catalogPath,
] as const;

export const isDocumentation = (path: string): boolean =>
  path.startsWith("/docs/") || documentationPaths.some((known) => known === path);

/** The documentation neither loads anything from other hosts nor sends anything to them. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

type Documented = Pick<Env, "DOCS" | "DOCS_TOKEN" | "SERVICE_NAME" | "GATEWAY_PUBLIC_KEY" | "OPERATOR_EMAIL">;

/** The sign-in button on `/`, and its replacement for browsers with a session. The settings verify the session. */
const signInButton = 'href="/sign-in">Sign in<';
const settingsButton = 'href="/settings">Open the settings<';

/** Serves the deployment's static assets, with placeholders replaced by this service's own values. */
export async function documentation(
  address: string,
  env: Documented,
  { hasSession }: { hasSession: boolean },
): Promise<Response> {
  const url = new URL(address);
  if (url.pathname === securityPath) return securityText(url.origin, env.OPERATOR_EMAIL);
  const asset = await env.DOCS.fetch(assetOf(url), { redirect: "manual" });
  if (!asset.ok) return errorResponse(refuse("not_found"));
  const type = typeOf(url.pathname, asset);
  const isText = /^(?:text|application)\//.test(type);
  const text = isText && filled(await asset.text(), url, env);
  const isLanding = url.pathname === "/";
  const shown = text && isLanding && hasSession ? text.replace(signInButton, settingsButton) : text;
  return new Response(shown === false ? asset.body : shown, {
    headers: {
      "Content-Type": type,
      "Content-Security-Policy": contentSecurityPolicy,
      "Referrer-Policy": "no-referrer",
      ...(isLanding ? { Vary: "Cookie" } : {}),
      ...(["/", catalogPath].includes(url.pathname) ? { Link: `<${catalogPath}>; rel="api-catalog"` } : {}),
    },
  });
}

function assetOf({ pathname, origin }: URL): URL {
  if (pathname === "/docs") return new URL("/docs/", origin);
  return new URL(pathname === catalogPath ? `${pathname}.json` : pathname, origin);
}

const typeOf = (path: string, asset: Response): string =>
  path === catalogPath
    ? 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    : (asset.headers.get("content-type") ?? "application/octet-stream");

/**
 * Replaces the placeholders. A local service also fills in its apikey and token, so that the examples run unchanged.
 */
function filled(
  text: string,
  url: URL,
  { SERVICE_NAME, DOCS_TOKEN, GATEWAY_PUBLIC_KEY }: Documented,
): string {
  const own = text
    .replaceAll(placeholders.origin, url.origin)
    .replaceAll(placeholders.serviceName, SERVICE_NAME);
  if (DOCS_TOKEN === "" || !isLoopback(url.href)) return own;
  const [apikey = ""] = GATEWAY_PUBLIC_KEY.split(",");
  return own.replaceAll(placeholders.apikey, apikey.trim()).replaceAll(placeholders.token, DOCS_TOKEN);
}

/** RFC 9116 recommends an expiry within a year. Each response renews it. */
const securityTextDays = 180;
function securityText(origin: string, operatorEmail: string): Response {
  const contact = operatorEmail === "" ? `${origin}/docs/support` : `mailto:${operatorEmail}`;
  const expires = new Date(Date.now() + securityTextDays * dayMs).toISOString();
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}${securityPath}`,
    `Policy: ${origin}/docs/support#report-a-vulnerability`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
