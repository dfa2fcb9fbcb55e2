import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors } from "jose";
import * as z from "zod";
import { sha256Hex } from "../../platform/digest.ts";
import { proofType, publishedKeys } from "../../platform/signing.ts";

/** The facts that a proof's readers need. Older proofs have no image hash. */
const Facts = z.object({
  deliverable_id: z.string(),
  workspace: z.string(),
  title: z.string(),
  version_number: z.int(),
  signer_name: z.string(),
  signed_off_at: z.string(),
  asset_sha256: z.string().nullable().optional(),
});

/** Whether an image is the signed one. `none`: there is no image to check. `unknown`: the proof has no image hash. */
export type ImageVerdict = "none" | "same" | "other" | "unknown";

export interface ProofVerdict {
  /** Whether the text is formatted like a proof, genuine or not. */
  isProof: boolean;
  /** Null if the proof was changed or is not signed with one of our keys. */
  facts: z.output<typeof Facts> | null;
  image: ImageVerdict;
}

const proofCharacters = 100_000;

/** Verifies that one of our keys signed a proof. Returns the proof's facts, and whether an image is the signed one. */
export async function verifyProof(
  keySet: string,
  proof: string,
  image: Uint8Array | null,
): Promise<ProofVerdict> {
  const text = proof.replaceAll(/\s/g, "");
  if (!isProof(text)) return { isProof: false, facts: null, image: "none" };
  const facts = await factsOf(keySet, text);
  return { isProof: true, facts, image: facts && image ? imageVerdict(facts, image) : "none" };
}

function isProof(text: string): boolean {
  if (text.length > proofCharacters || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return false;
  try {
    return decodeProtectedHeader(text).typ === proofType;
  } catch {
    return false;
  }
}

function imageVerdict({ asset_sha256 = null }: z.output<typeof Facts>, image: Uint8Array): ImageVerdict {
  if (asset_sha256 === null) return "unknown";
  return sha256Hex(image) === asset_sha256 ? "same" : "other";
}

async function factsOf(keySet: string, text: string): Promise<ProofVerdict["facts"]> {
  try {
    const keys = createLocalJWKSet(publishedKeys(keySet));
    const { payload } = await compactVerify(text, keys, { algorithms: ["EdDSA"] });
    return Facts.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError || error instanceof SyntaxError)
      return null;
    throw error;
  }
}
