import { reviewLimits } from "../../contract/review-limits.ts";
import { consentText } from "../../review/sign-offs/consent.ts";
import { maskedAddress, type Review, signOffAccess } from "../../review/visits/review.ts";
import { Badge } from "../parts/badge.tsx";
import { Field } from "../parts/field.tsx";
import { When } from "../parts/time.tsx";
import { attributionTexts } from "./conversation.tsx";

/** What a refused form held, so that nobody types it twice, and what is wrong with which field. */
export interface Given {
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
}

interface FormOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  formId: string;
  given: Given | undefined;
}

/** What a field held and what is wrong with it; the first wrong one has the focus, so that its reader sees it. */
const filled = (given: Given | undefined, name: string) => ({
  value: given?.values[name],
  error: given?.errors[name],
  autofocus: Object.keys(given?.errors ?? {})[0] === name,
});

const Hidden = ({ review, formId }: Pick<FormOptions, "review" | "formId">) => (
  <>
    <input type="hidden" name="form_id" value={formId} />
    <input type="hidden" name="version_number" value={String(review.versionNumber)} />
  </>
);

/** A comment, or a request for changes: the same words, another button. */
export const FeedbackSheet = ({ review, path, formId, given }: FormOptions) => (
  <section class="card" aria-labelledby="feedback-heading" id="respond">
    <h2 id="feedback-heading">Say what you think of version {review.versionNumber}</h2>
    <form method="post" action={`${path}/feedback`}>
      <Hidden review={review} formId={formId} />
      <Field
        label="Your name"
        name="author_name"
        maxLength={reviewLimits.nameCharacters}
        autocomplete="name"
        {...filled(given, "author_name")}
      />
      <Field
        label="Comment"
        name="body"
        rows={4}
        maxLength={reviewLimits.bodyCharacters}
        {...filled(given, "body")}
      />
      <div class="actions">
        <button type="submit" class="button" name="kind" value="comment">
          Send comment
        </button>
        <button type="submit" name="kind" value="change_request" class="button warn">
          Request changes
        </button>
      </div>
    </form>
  </section>
);

/** The sign-off form, or what the visitor must do before it, or what came of it. */
export const SignOffSheet = (options: FormOptions) => {
  const { review } = options;
  switch (signOffAccess(review)) {
    case "signed_off":
      return <SignedOff {...options} />;
    case "allowed":
      return <SignOffForm {...options} />;
    case "confirm_address":
      return <ConfirmAddress {...options} />;
    case "no_address":
      return (
        <section class="card" aria-labelledby="sign-off-heading" id="sign-off">
          <h2 id="sign-off-heading">Sign off</h2>
          <p>
            {review.workspace} has no e-mail address of yours, so nobody can sign off here. Tell{" "}
            {review.workspace} that you accept the work: they record it.
          </p>
        </section>
      );
  }
};

const SignOffForm = ({ review, path, formId, given }: FormOptions) => (
  <section class="card" aria-labelledby="sign-off-heading" id="sign-off">
    <h2 id="sign-off-heading">Sign off version {review.versionNumber}</h2>
    <p>Signing off ends the review: the work is accepted and can no longer be changed here.</p>
    <form method="post" action={`${path}/sign-off`}>
      <Hidden review={review} formId={formId} />
      <Field
        label="Full name"
        name="signer_name"
        maxLength={reviewLimits.nameCharacters}
        autocomplete="name"
        {...filled(given, "signer_name")}
      />
      <label class="consent">
        <input
          type="checkbox"
          name="consent"
          value="on"
          required
          checked={given?.values.consent === "on"}
          autofocus={filled(given, "consent").autofocus}
          aria-describedby={given?.errors.consent ? "consent-error" : undefined}
        />
        <span>{consentText(review.title, review.versionNumber, review.workspace)}</span>
      </label>
      {given?.errors.consent && (
        <p id="consent-error" class="error">
          {given.errors.consent}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button">
          Sign off
        </button>
      </div>
    </form>
  </section>
);

/** Lets a visitor who came by the bare link prove that the client's mailbox is theirs. */
const ConfirmAddress = ({ review, path, formId, given }: FormOptions) => (
  <section class="card" aria-labelledby="sign-off-heading" id="sign-off">
    <h2 id="sign-off-heading">Sign off version {review.versionNumber}</h2>
    {review.isCodeSent || given?.errors.code ? (
      <>
        <p>
          We have mailed a code to {maskedAddress(review.clientEmail ?? "")}. It is valid for{" "}
          {reviewLimits.codeMinutes} minutes; type the one of the newest mail.
        </p>
        <form method="post" action={`${path}/verify`}>
          <Hidden review={review} formId={formId} />
          <Field
            label="Code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxLength={20}
            {...filled(given, "code")}
          />
          <div class="actions">
            <button type="submit" class="button">
              Confirm code
            </button>
          </div>
        </form>
        <p class="muted">Nothing came? Look among the unwanted mails, or ask for another code.</p>
      </>
    ) : (
      <p>
        To sign off, show that the mails to {maskedAddress(review.clientEmail ?? "")} reach you: open the
        personal link in the newest mail that asked for this review (a link works for{" "}
        {reviewLimits.mailedKeyDays} days), or have a code mailed there.
      </p>
    )}
    <form method="post" action={`${path}/code`} class="actions">
      <Hidden review={review} formId={formId} />
      <button type="submit" class={review.isCodeSent ? "button quiet" : "button"}>
        E-mail me a code
      </button>
    </form>
  </section>
);

const SignedOff = ({ review, path }: FormOptions) =>
  review.signOff && (
    <section class="card signed" aria-labelledby="sign-off-heading" id="sign-off" tabindex={-1}>
      <h2 id="sign-off-heading">
        Signed off <Badge tone="good">Version {review.signOff.versionNumber}</Badge>
      </h2>
      <p>
        <strong dir="auto">{review.signOff.signerName ?? "The client"}</strong> accepted this work on{" "}
        <When at={review.signOff.signedOffAt} exact />{" "}
        <span class="muted">({attributionTexts[review.signOff.attribution]})</span>.
      </p>
      <div class="actions">
        <a class="button quiet" href={`${path}/certificate`}>
          Open the certificate
        </a>
      </div>
    </section>
  );
