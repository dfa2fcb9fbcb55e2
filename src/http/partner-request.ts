import type { Services } from "../core/services.ts";

/** A partner's request with a known path and method, and a well-formed token. */
export interface PartnerRequest {
  raw: Request;
  /** The value of X-Request-Id. */
  id: string;
  params: unknown;
  /** SHA-256 of the bearer token. */
  tokenHash: string;
  /** The sender's address; empty if the platform does not provide it. */
  address: string;
  services: Services;
  /** Keeps work alive after the response, even if the caller has disconnected. */
  waitUntil(work: Promise<unknown>): void;
  /** Sets response headers, even on an unexpected error. undefined removes a header. */
  setHeaders(headers: Record<string, string | undefined>): void;
}
