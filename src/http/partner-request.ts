import type { Services } from "../core/services.ts";

/** A partner's request whose path and method are known and whose token has the right form. */
export interface PartnerRequest {
  raw: Request;
  /** The X-Request-Id. */
  id: string;
  params: unknown;
  /** SHA-256 of the bearer token. */
  tokenHash: string;
  /** The sender; empty if the platform names none. */
  address: string;
  services: Services;
  /** Keeps work alive after the response, even when the caller has disconnected. */
  waitUntil(work: Promise<unknown>): void;
  /** Headers of the response, whatever it will be, including an unexpected error; undefined removes one. */
  setHeaders(headers: Record<string, string | undefined>): void;
}
