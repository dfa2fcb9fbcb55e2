import type { ProofVerdict } from "../../review/sign-offs/verify-proof.ts";
import { CenteredPage } from "../layout.tsx";
import { Button } from "../parts/button.tsx";
import { Note } from "../parts/card.tsx";
import { When } from "../parts/time.tsx";

interface VerifyPageOptions {
  proof?: string;
  verdict?: ProofVerdict;
}

/** Where anybody checks the proof of a sign-off. A script checks it in the browser; without it, the form is sent. */
export const VerifyPage = ({ proof, verdict }: VerifyPageOptions) => (
  <CenteredPage title="Check a sign-off" script="verify">
    <section class="card">
      <h1>Is this sign-off real?</h1>
      <p class="muted">
        Paste the proof from a certificate, or drop its file. Your browser checks it with our published keys;
        nothing is kept.
      </p>
      <form method="post" action="/verify" enctype="multipart/form-data" data-verify>
        <div class="field">
          <label for="proof">Proof</label>
          <textarea id="proof" name="proof" rows={6} required spellcheck={false} autocomplete="off" data-drop>
            {proof}
          </textarea>
        </div>
        <div class="field">
          <label for="image">The image that was signed off (optional)</label>
          <input id="image" name="image" type="file" accept="image/*" />
        </div>
        <Button icon="shieldCheck">Check it</Button>
      </form>
    </section>
    <div id="verdict" tabindex={-1} data-verdict aria-live="polite">
      {verdict && <Judged verdict={verdict} />}
    </div>
  </CenteredPage>
);

const imageTexts = {
  same: "The image is the one that was signed off, to the last byte.",
  other: "The image is not the one that was signed off.",
  unknown: "This proof does not say which image was signed off, so the image could not be checked.",
} as const;

const Judged = ({ verdict }: { verdict: ProofVerdict }) =>
  verdict.facts === null ? (
    <Note tone="bad" role="alert" heading="Not genuine">
      <p>This proof was changed or is not ours. Ask for the original file.</p>
    </Note>
  ) : (
    <Note tone={verdict.image === "other" ? "warn" : "good"} role="status" heading="Genuine and unchanged">
      <p>
        <strong dir="auto">{verdict.facts.signer_name}</strong> accepted version{" "}
        {verdict.facts.version_number} of <strong dir="auto">{verdict.facts.title}</strong> for{" "}
        <bdi>{verdict.facts.workspace}</bdi> on <When at={verdict.facts.signed_off_at} exact />.
      </p>
      {verdict.image && <p>{imageTexts[verdict.image]}</p>}
    </Note>
  );
