import { refuse } from "../contract/refusal.ts";
import { errorResponse } from "./responses.ts";

/**
 * The addresses that need no key: the OpenAPI document, its rendered form with its files, and its overview for
 * machines.
 */
export const documentationPaths = [
  "/api-v1/openapi.json",
  "/docs",
  "/docs/",
  "/docs/{file}",
  "/llms.txt",
] as const;

export const isDocumentation = (path: string): boolean =>
  path.startsWith("/docs/") || documentationPaths.some((known) => known === path);

/** Swagger UI styles elements in place; nothing is loaded from, or sent to, any other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers from the static assets of the deployment (scripts/docs.ts lays them out). */
export async function documentation(address: string, assets: Fetcher): Promise<Response> {
  const url = new URL(address);
  if (url.pathname === "/docs") url.pathname = "/docs/";
  const asset = await assets.fetch(url, { redirect: "manual" });
  if (!asset.ok) return errorResponse(refuse("not_found"));
  return new Response(asset.body, {
    headers: {
      "Content-Type": asset.headers.get("content-type") ?? "application/octet-stream",
      "Content-Security-Policy": contentSecurityPolicy,
      "Referrer-Policy": "no-referrer",
    },
  });
}
