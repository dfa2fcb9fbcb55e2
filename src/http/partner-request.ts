import type { Services } from "../core/services.ts";

/** A request of a partner whose path and method are known and whose token has the right form. */
export interface PartnerRequest {
  raw: Request;
  /** Of X-Request-Id. */
  id: string;
  params: unknown;
  /** SHA-256 of the bearer token. */
  tokenHash: string;
  /** Of the sender; empty where the platform names none. */
  address: string;
  services: Services;
  /** Keeps work alive after the response, also when the caller has gone. */
  waitUntil(work: Promise<unknown>): void;
  /** Headers of the answer, whatever it will be, an unexpected error's too; undefined takes one back. */
  setHeaders(headers: Record<string, string | undefined>): void;
}
