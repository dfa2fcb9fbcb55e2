import type { ImageVerdict, ProofVerdict } from "../../review/sign-offs/verify-proof.ts";
import { CenteredPage } from "../layout.tsx";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Facts } from "../parts/figures.tsx";
import { When } from "../parts/time.tsx";

interface VerifyPageOptions {
  proof?: string;
  verdict?: ProofVerdict;
  /** The path of the signed version's picture, for a visitor who may see it. */
  picture?: string | undefined;
}

/**
 * The page where anyone can verify a sign-off proof. JavaScript verifies it in the browser; without JavaScript, the
 * form is posted.
 */
export const VerifyPage = ({ proof, verdict, picture }: VerifyPageOptions) => (
  <CenteredPage title="Check a sign-off" script="verify" isWide>
    <div>
      <h1>Is this sign-off real?</h1>
      <p class="lede">Paste the proof from a certificate, or choose its file. Nothing is stored.</p>
    </div>
    <div class="two">
      <section class="card">
        <form method="post" action="/verify" enctype="multipart/form-data" data-verify>
          <div class="field">
            <label for="proof">Proof</label>
            <textarea id="proof" name="proof" rows={6} spellcheck={false} autocomplete="off" data-drop>
              {proof}
            </textarea>
          </div>
          <div class="field">
            <label for="proof_file">The proof's file</label>
            <input
              id="proof_file"
              name="proof_file"
              type="file"
              accept=".jws,.txt,application/jose,text/plain"
            />
          </div>
          <div class="field">
            <label for="image">The image that was signed off (optional)</label>
            <input id="image" name="image" type="file" accept="image/*" />
          </div>
          <Button icon="shieldCheck">Check it</Button>
        </form>
      </section>
      <div class="stack">
        <div id="verdict" tabindex={-1} data-verdict aria-live="polite">
          {verdict && <Judged outcome={outcomeOf(verdict)} facts={verdict.facts} />}
        </div>
        <div data-picture>{picture && <Picture src={picture} />}</div>
        <Card id="help" heading="How it works">
          <Facts
            facts={[
              ["The proof", "On the certificate of a sign-off: “Download the proof”"],
              [
                "The check",
                "Your browser checks it with our published keys. If even one letter was changed, the check fails",
              ],
              ["The image", "Add it to see whether it is the one that was signed off"],
            ]}
          />
          <p class="hint">
            You can also check it <a href="/docs/sign-off-proof">offline</a>, without this service.
          </p>
        </Card>
      </div>
    </div>
    <template id="picture">
      <Picture />
    </template>
    {outcomes.map((outcome) => (
      <template id={outcome}>
        <Judged outcome={outcome} facts={null} />
      </template>
    ))}
  </CenteredPage>
);

/** The script sets `src` in its copy. */
const Picture = ({ src }: { src?: string }) => (
  <img class="signed-work" src={src} alt="The version that was signed off" />
);

/** Texts about an image that was checked together with a genuine proof. */
const imageTexts = {
  none: null,
  same: "The image is the one that was signed off, to the last byte.",
  other: "The proof is genuine, but it is for a different image.",
  unknown: "This proof does not say which image was signed off, so the image could not be checked.",
} as const satisfies Record<ImageVerdict, string | null>;

const outcomes = ["no_proof", "changed", "none", "same", "other", "unknown"] as const;
type Outcome = (typeof outcomes)[number];

const outcomeOf = ({ isProof, facts, image }: ProofVerdict): Outcome => {
  if (facts) return image;
  return isProof ? "changed" : "no_proof";
};

const refusedTexts = {
  no_proof: {
    heading: "This is not a proof",
    text: "Paste the whole proof, or choose the file that the certificate offers as “Download the proof”.",
  },
  changed: {
    heading: "Not genuine",
    text: "This proof was changed or is not ours. Ask for the original file.",
  },
} as const;

const genuine = (outcome: ImageVerdict) =>
  outcome === "other"
    ? ({ tone: "bad", role: "alert", heading: "Not the image that was signed off" } as const)
    : ({ tone: "good", role: "status", heading: "Genuine and unchanged" } as const);

/** Without facts, this is a template for the script (scripts/verify.js). */
const Judged = ({ outcome, facts }: { outcome: Outcome; facts: ProofVerdict["facts"] }) =>
  outcome === "no_proof" || outcome === "changed" ? (
    <Note tone="bad" role="alert" heading={refusedTexts[outcome].heading}>
      <p>{refusedTexts[outcome].text}</p>
    </Note>
  ) : (
    <Note {...genuine(outcome)}>
      <p>
        <strong dir="auto" data-fact="signer_name">
          {facts?.signer_name}
        </strong>{" "}
        accepted version <span data-fact="version_number">{facts?.version_number}</span> of{" "}
        <strong dir="auto" data-fact="title">
          {facts?.title}
        </strong>{" "}
        for <bdi data-fact="workspace">{facts?.workspace}</bdi> on{" "}
        {facts ? <When at={facts.signed_off_at} exact /> : <time data-fact="signed_off_at" />}.
      </p>
      {imageTexts[outcome] && <p>{imageTexts[outcome]}</p>}
    </Note>
  );
