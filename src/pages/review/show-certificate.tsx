import type { Context } from "hono";
import { run } from "../../db/query.ts";
import { proofOf } from "../../platform/signing.ts";
import { findCertificate } from "../../review/sign-offs/find-sign-off.ts";
import { showPage } from "../layout.tsx";
import type { PageApp } from "../page-app.ts";
import { CertificatePage } from "./certificate.tsx";
import { pathOf, reviewNotFound } from "./responses.tsx";
import { adminOf, visitOf } from "./visitor.ts";

type C = Context<PageApp>;

export async function showCertificate(c: C): Promise<Response> {
  const { db, signOffKeys } = c.get("services");
  const certificate = await run(db, findCertificate(visitOf(c)));
  if (!certificate) return reviewNotFound(c);
  const showsOrigin = certificate.hasKey || (await adminOf(c, certificate.organizationId)) !== undefined;
  const proof = await proofOf(signOffKeys, certificate.facts);
  const keysUrl = new URL("/.well-known/jwks.json", c.req.url).href;
  const checkUrl = new URL(`/verify/${certificate.id}`, c.req.url).href;
  const isOpen = c.req.query("details") === "open";
  const shown = { certificate, showsOrigin, proof, path: pathOf(c), checkUrl, keysUrl, isOpen };
  return showPage(c, <CertificatePage {...shown} />);
}

/** Downloads the proof as a file that `/verify` accepts. */
export async function downloadProof(c: C): Promise<Response> {
  const { db, signOffKeys } = c.get("services");
  const certificate = await run(db, findCertificate(visitOf(c)));
  if (!certificate) return reviewNotFound(c);
  return c.body(await proofOf(signOffKeys, certificate.facts), 200, {
    "Content-Type": "application/jose",
    "Content-Disposition": 'attachment; filename="sign-off.jws"',
  }) as Response;
}
