import type { signOffAttributions } from "../../contract/closed-sets.ts";
import type { ShownBrand } from "../../workspace/brands/addresses.ts";

/** A sign-off as the API returns it (contract P12). */
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

/** The facts in a sign-off proof. They are self-contained, so that they can still be understood years later. */
export interface SignOffFacts extends SignOffAnswer {
  workspace: string;
  title: string;
  /** Every version up to the signed one, oldest first, so that replaced work is visible. */
  version_chain: readonly { version_number: number; hash: string; created_at: string }[];
  /** SHA-256 of the version's image. Null if there is no image, or if the version's hash does not cover it. */
  asset_sha256: string | null;
  /** When the signer's name was erased at their request; absent otherwise. */
  erased_at?: string;
}

export interface SignOffStep {
  kind: "sent" | "change_request";
  at: string;
  versionNumber: number;
  /** Who asked for changes. */
  name: string | null;
}

/** The certificate page's content. */
export interface Certificate {
  /** The sign-off's id. The certificate's short URL is `/verify/{id}`. */
  id: string;
  facts: SignOffFacts;
  organizationId: string;
  brand: ShownBrand;
  /** Whether the visitor has a key to the review. Only such visitors and admins see the IP address and browser. */
  hasKey: boolean;
  ipAddress: string | null;
  userAgent: string | null;
  hasImage: boolean;
  clientName: string;
  projectName: string | null;
  /** The steps before the sign-off, oldest first. */
  steps: readonly SignOffStep[];
}
