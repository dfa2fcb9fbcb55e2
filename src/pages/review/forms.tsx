import { reviewLimits } from "../../contract/review-limits.ts";
import { consentText } from "../../review/sign-offs/consent.ts";
import { maskedAddress, type Review, signOffAccess } from "../../review/visits/review.ts";
import { Button } from "../parts/button.tsx";
import { Field, FieldError } from "../parts/field.tsx";
import { When } from "../parts/time.tsx";
import { attributionTexts } from "./conversation.tsx";

/** The values of a rejected form, to fill it in again, and each field's error. */
export interface Given {
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
}

interface FormOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  formId: string;
  /** The visitor's name, if they gave it or their key identifies them. */
  name: string | undefined;
  given: Given | undefined;
}

/** Returns a field's value and error. The first field with an error gets the focus. */
const filled = (given: Given | undefined, name: string, otherwise?: string) => ({
  value: given?.values[name] ?? otherwise,
  error: given?.errors[name],
  autofocus: Object.keys(given?.errors ?? {})[0] === name,
});

const Hidden = ({ review, formId }: Pick<FormOptions, "review" | "formId">) => (
  <>
    <input type="hidden" name="form_id" value={formId} />
    <input type="hidden" name="version_number" value={String(review.versionNumber)} />
  </>
);

/** The form for a comment or a change request, with a button for each. */
export const FeedbackSheet = ({ review, path, formId, name, given }: FormOptions) => (
  <section class="say" aria-label={`Say what you think of version ${review.versionNumber}`} id="respond">
    <form method="post" action={`${path}/feedback`}>
      <Hidden review={review} formId={formId} />
      <Field
        label="Comment"
        name="body"
        rows={2}
        placeholder="What works, what does not?"
        maxLength={reviewLimits.bodyCharacters}
        {...filled(given, "body")}
      />
      <Field
        label="Your name"
        name="author_name"
        maxLength={reviewLimits.nameCharacters}
        autocomplete="name"
        {...filled(given, "author_name", name)}
      />
      {review.versions[0]?.hasImage && (
        <div class="spot" data-without-script>
          <Spot label="Across (%)" name="across" given={given} />
          <Spot label="Down (%)" name="down" given={given} />
        </div>
      )}
      <div class="actions">
        <Button kind="quiet" name="kind" value="comment">
          Send comment
        </Button>
        <Button kind="warn" name="kind" value="change_request">
          Request changes
        </Button>
        <Button kind="bare" type="button" data-remove-pin hidden>
          Remove pin
        </Button>
      </div>
    </form>
  </section>
);

/** A coordinate of the spot on the image. With JavaScript, the pin fills it in. */
const Spot = ({ label, name, given }: { label: string; name: string; given: Given | undefined }) => {
  const { value, error, autofocus } = filled(given, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="number"
        min="0"
        max="100"
        step="0.1"
        inputmode="decimal"
        value={value}
        autofocus={autofocus}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={error ? `${name}-error` : undefined}
      />
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
    </div>
  );
};

/** Explains why a reply is not e-mailed to the client; undefined if it is. */
export function notMailedText({ clientEmail, isSample }: Review): string | undefined {
  if (isSample) return "Nothing is e-mailed: this is sample data.";
  return clientEmail === null ? "The client has no e-mail address: they read it here." : undefined;
}

/** The reply form for a signed-in admin of the workspace. */
export const ReplySheet = ({
  review,
  path,
  formId,
  given,
  admin,
}: Omit<FormOptions, "name"> & { admin: string }) => (
  <section class="say" aria-labelledby="reply-heading">
    <form method="post" action={`${path}/reply`}>
      <h2 id="reply-heading">
        Reply as <bdi>{admin}</bdi>
      </h2>
      <Hidden review={review} formId={formId} />
      <Field
        label="Reply"
        name="reply"
        rows={2}
        maxLength={reviewLimits.bodyCharacters}
        hint={notMailedText(review)}
        {...filled(given, "reply")}
      />
      <div class="actions one">
        <Button>Send reply</Button>
      </div>
    </form>
    {review.reminderDueAt !== null && (
      <p class="hint">
        No answer yet? The client is reminded by e-mail on <When at={review.reminderDueAt} />.
      </p>
    )}
  </section>
);

/** The sign-off form, or what the visitor must do first. */
export const SignOffSheet = (options: FormOptions) => {
  const { review } = options;
  switch (signOffAccess(review)) {
    case "signed_off":
      return null;
    case "allowed":
      return <SignOffForm {...options} />;
    case "confirm_address":
      return <ConfirmAddress {...options} />;
    case "no_address":
      return (
        <section class="decide" aria-labelledby="sign-off-heading" id="sign-off">
          <h2 id="sign-off-heading">Sign off</h2>
          {review.isSample ? (
            <p>This is sample data: nothing is e-mailed, and only the workspace can record a sign-off.</p>
          ) : (
            <p>
              Only <bdi>{review.workspace}</bdi> can record your sign-off, because they don't have your e-mail
              address. Tell them that you accept the work.
            </p>
          )}
        </section>
      );
  }
};

const SignOffForm = ({ review, path, formId, name, given }: FormOptions) => (
  <section class="decide" aria-labelledby="sign-off-heading" id="sign-off">
    <h2 id="sign-off-heading">Happy with version {review.versionNumber}?</h2>
    <p>Signing off accepts it as it is and ends the review.</p>
    <form method="post" action={`${path}/sign-off`}>
      <Hidden review={review} formId={formId} />
      <Field
        label="Full name"
        name="signer_name"
        maxLength={reviewLimits.nameCharacters}
        autocomplete="name"
        {...filled(given, "signer_name", name)}
      />
      <div>
        <label class="consent">
          <input
            type="checkbox"
            name="consent"
            value="on"
            required
            checked={given?.values.consent === "on"}
            autofocus={filled(given, "consent").autofocus}
            aria-invalid={given?.errors.consent ? "true" : undefined}
            aria-describedby={given?.errors.consent ? "consent-error" : undefined}
          />
          <span>{consentText(review.title, review.versionNumber, review.workspace)}</span>
        </label>
        {given?.errors.consent && <FieldError id="consent-error">{given.errors.consent}</FieldError>}
      </div>
      <Button kind="good" size="large" icon="check">
        Sign off
      </Button>
    </form>
  </section>
);

/** Lets a visitor who only has the review's link prove access to the client's mailbox. */
const ConfirmAddress = ({ review, path, formId, given }: FormOptions) => {
  const address = maskedAddress(review.clientEmail ?? "");
  const isRequested = review.isCodeSent || given?.errors.code !== undefined;
  return (
    <section class="decide" aria-labelledby="sign-off-heading" id="sign-off" tabindex={-1}>
      <h2 id="sign-off-heading">Sign off version {review.versionNumber}</h2>
      {isRequested ? (
        <>
          <p>
            We have e-mailed a code to {address}. It works for {reviewLimits.codeMinutes} minutes; enter the
            one from the newest e-mail.
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
            <Button kind="good" size="large">
              Confirm code
            </Button>
          </form>
          <p class="again">Nothing there? Check your spam folder, or get another code.</p>
        </>
      ) : (
        <p>
          First confirm that {address} is yours: open the link in the newest review e-mail (it works for{" "}
          {reviewLimits.mailedKeyDays} days), or get a code by e-mail.
        </p>
      )}
      <form method="post" action={`${path}/code`}>
        <Hidden review={review} formId={formId} />
        <Button kind={isRequested ? "quiet" : "good"} size={isRequested ? "slim" : "large"} icon="mail">
          E-mail me a code
        </Button>
      </form>
    </section>
  );
};

/** Shown once the work is signed off. */
export const SignedOff = ({ review, path }: Pick<FormOptions, "review" | "path">) => {
  const { signOff, visitor, workspace } = review;
  if (!signOff) return null;
  const first = signOff.signerName?.split(" ")[0];
  const isTheirs = visitor !== "link_only" && signOff.attribution !== "recorded_by_admin";
  return (
    <section class="moment" aria-labelledby="sign-off-heading" id="sign-off" tabindex={-1}>
      <svg class="seal" viewBox="0 0 64 64" aria-hidden="true">
        <path d="M32 2l7 6 9-2 4 8 9 3-1 9 6 6-6 7 1 9-9 3-4 8-9-2-7 6-7-6-9 2-4-8-9-3 1-9-6-7 6-6-1-9 9-3 4-8 9 2z" />
        <path d="M21 33l8 8 15-17" />
      </svg>
      <h2 id="sign-off-heading" dir="auto">
        {isTheirs && first ? `Signed off. Thank you, ${first}.` : "Signed off"}
      </h2>
      <p>
        <strong dir="auto">{signOff.signerName ?? "The client"}</strong> accepted version{" "}
        {signOff.versionNumber} on <When at={signOff.signedOffAt} exact />
        {isTheirs ? "." : ` (${attributionTexts[signOff.attribution]}).`}
      </p>
      <p>
        <bdi>{workspace}</bdi>{" "}
        {isTheirs ? "has been notified, and a copy is in your inbox." : "continues with this version."}
      </p>
      <Button kind="good" icon="award" href={`${path}/certificate`}>
        Open the certificate
      </Button>
    </section>
  );
};
