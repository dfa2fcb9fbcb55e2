import type { signOffAttributions } from "../../contract/closed-sets.ts";
import type { ShownBrand } from "../../workspace/brands/addresses.ts";

/** What a sign-off says, as the API returns it (contract P12). */
interface SignOffAnswer {
  deliverable_id: string;
  version_number: number;
  version_hash: string;
  signer_name: string;
  attribution: (typeof signOffAttributions)[number];
  consent: string | null;
  consent_version: number | null;
  signed_off_at: string;
}

/** What the proof of a sign-off says: the same, and what makes it readable by itself years later. */
export interface SignOffFacts extends SignOffAnswer {
  workspace: string;
  title: string;
  /** Every version up to the signed one, oldest first, so that replaced work shows. */
  version_chain: readonly { version_number: number; hash: string; created_at: string }[];
  /** SHA-256 of the version's image; null: no image, or not covered by the version's hash. */
  asset_sha256: string | null;
  /** When the signer's name was erased at their request; absent: never. */
  erased_at?: string;
}

export interface SignOffStep {
  kind: "sent" | "change_request";
  at: string;
  versionNumber: number;
  /** Who asked for changes. */
  name: string | null;
}

/** Shown only on the certificate, never in a response, a webhook or a log. */
export interface Certificate {
  /** Of the sign-off: its short address is `/verify/{id}`. */
  id: string;
  facts: SignOffFacts;
  organizationId: string;
  brand: ShownBrand;
  /** Whether the visitor has a key to the review; only they and admins see the address and the browser. */
  hasKey: boolean;
  ipAddress: string | null;
  userAgent: string | null;
  hasImage: boolean;
  clientName: string;
  projectName: string | null;
  /** What led to the sign-off, oldest first. */
  steps: readonly SignOffStep[];
}
