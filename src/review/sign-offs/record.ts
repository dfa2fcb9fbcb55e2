import * as z from "zod";
import { signOffAttributions } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";
import { Deliverable } from "../deliverables/record.ts";

export const SignOff = z
  .object({
    deliverable_id: id,
    version_number: z.int(),
    version_hash: z.string().meta({ description: "The signed-off version's hash" }),
    signer_name: z.string(),
    attribution: z.enum(signOffAttributions).meta({
      description:
        "How the signer was identified: by a link or code that was e-mailed to the client, or not at all if an " +
        "admin recorded the sign-off",
    }),
    consent: z.string().nullable().meta({
      description: "The statement that the signer agreed to; null if an admin recorded the sign-off",
    }),
    consent_version: z.int().nullable(),
    signed_off_at: timestamp,
    proof: z.string().meta({
      description:
        "A compact JWS (EdDSA) that contains these fields, the workspace's name, the title and the version " +
        "chain. Verify it offline with the keys at /.well-known/jwks.json",
    }),
  })
  .meta({ id: "SignOff", description: "A client's sign-off of one version, with its proof" });
export type SignOff = z.output<typeof SignOff>;

export const exampleSignOff: SignOff = {
  deliverable_id: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
  version_number: 2,
  version_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  signer_name: "Ada Lovelace",
  attribution: "mailed_link",
  consent: "I have seen version 2 of “Homepage” and accept it as it is.",
  consent_version: 1,
  signed_off_at: "2026-01-31T09:30:00.000Z",
  proof:
    "eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYiLCJ0eXAiOiJzaWduLW9mZitqd3MifQ.eyJzaWduZXJfbmFtZSI6IkFkYSJ9.c2ln",
};

export const RecordedSignOff = z.object({
  id,
  deliverable_id: id,
  version_number: z.int(),
  signer_name: z.string(),
  created_at: timestamp,
  deliverable: Deliverable.meta({ description: "The deliverable after the sign-off" }),
});

export type RecordedSignOff = z.output<typeof RecordedSignOff>;
