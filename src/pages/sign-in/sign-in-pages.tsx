import { emailCharacters } from "../../contract/fields.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { Field } from "../components.tsx";
import { PageShell } from "../layout.tsx";
import { signInFor } from "./return-path.ts";

const brand = "Settings";

interface SignInOptions {
  /** The page of the settings that was asked for. */
  returnPath: string | null;
  value?: string;
  error?: string;
  /** Names one filled form, so that a form that is sent twice has one link mailed. */
  formId: string;
}

/** The first page, the same for every address. */
export const SignInPage = ({ returnPath, value, error, formId }: SignInOptions) => (
  <PageShell title="Sign in" brand={brand}>
    <div class="sheet">
      <h1>Sign in</h1>
      <p>For owners and admins of a workspace. There is no password: we mail you a link.</p>
      <form method="post" action="/sign-in">
        <Field
          label="E-mail address"
          name="email"
          type="email"
          inputmode="email"
          autocomplete="email"
          maxLength={emailCharacters}
          value={value}
          error={error}
        />
        <input type="hidden" name="form_id" value={formId} />
        {returnPath && <input type="hidden" name="return_to" value={returnPath} />}
        <div class="actions">
          <button type="submit">E-mail me a link</button>
        </div>
      </form>
    </div>
  </PageShell>
);

export const LinkMailedPage = ({ returnPath }: Pick<SignInOptions, "returnPath">) => (
  <PageShell title="Look into your mails" brand={brand}>
    <div class="sheet">
      <h1>Look into your mails</h1>
      <p role="status">
        If the address belongs to an owner or admin of a workspace, a link is on its way to it. It works once,
        for {sessionLimits.linkMinutes} minutes.
      </p>
      <p class="muted">
        Nothing came? Check your spam folder. At most {sessionLimits.linksAtATime} links are sent at a time;
        the ones you already have still work.
      </p>
      <p>
        <a href={signInFor(returnPath)}>Try another address</a>
      </p>
    </div>
  </PageShell>
);

/**
 * The page behind the link. A machine that opens it signs nobody in. It names the address, so that nobody works as
 * somebody else.
 */
export const UseLinkPage = ({ path, email }: { path: string; email: string }) => (
  <PageShell title="Sign in" brand={brand}>
    <div class="sheet">
      <h1>Sign in</h1>
      <p>
        You sign in as <strong>{email}</strong>, in this browser.
      </p>
      <form method="post" action={path} class="actions">
        <button type="submit">Sign in</button>
      </form>
    </div>
  </PageShell>
);

export const DeadLinkPage = () => (
  <PageShell title="This link does not work" brand={brand}>
    <div class="sheet">
      <h1>This link does not work</h1>
      <p>
        A link signs in once, for {sessionLimits.linkMinutes} minutes. This one was used, is too old, or was
        not copied whole.
      </p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Have a new link mailed
        </a>
      </div>
    </div>
  </PageShell>
);

export const SignOutPage = () => (
  <PageShell title="Sign out" brand={brand}>
    <div class="sheet">
      <h1>Sign out</h1>
      <p>This browser forgets you. Others stay signed in.</p>
      <form method="post" action="/sign-out" class="actions">
        <button type="submit">Sign out</button>
      </form>
    </div>
  </PageShell>
);
