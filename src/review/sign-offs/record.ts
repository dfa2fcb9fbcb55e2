import * as z from "zod";
import { signOffAttributions } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";
import { Deliverable } from "../deliverables/record.ts";

export const SignOffRecord = z
  .object({
    deliverable_id: id,
    version_number: z.int(),
    version_hash: z.string().meta({ description: "hash of the version that was signed off" }),
    signer_name: z.string(),
    attribution: z.enum(signOffAttributions).meta({
      description:
        "How the signer was known: by a link or a code that was mailed to the client, or not at all: an " +
        "admin recorded it",
    }),
    consent: z.string().nullable().meta({
      description: "The words that the signer agreed to; null if an admin recorded the sign-off",
    }),
    consent_version: z.int().nullable(),
    signed_off_at: timestamp,
    proof: z.string().meta({
      description:
        "Compact JWS (EdDSA) over these facts, the workspace's name, the title and the version chain; " +
        "verify it offline with the keys at /.well-known/jwks.json",
    }),
  })
  .meta({ id: "SignOff", description: "A client's signature under one version, with its proof" });
export type SignOffRecord = z.output<typeof SignOffRecord>;

export const SignOff = z.object({
  id,
  deliverable_id: id,
  version_number: z.int(),
  signer_name: z.string(),
  created_at: timestamp,
  deliverable: Deliverable.meta({ description: "As the sign-off left it" }),
});

export type SignOff = z.output<typeof SignOff>;
