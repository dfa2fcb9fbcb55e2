import { authorizePath } from "../../contract/connect-paths.ts";
import { emailCharacters } from "../../contract/fields.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { CenteredPage } from "../layout.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { signInFor } from "./return-path.ts";

interface SignInOptions {
  /** The page to return to: a settings page or an app's request. */
  returnPath: string | null;
  value?: string;
  error?: string;
  /** The form's id, so that a form submitted twice sends one link. */
  formId: string;
}

/** The start page, which looks the same for every e-mail address. */
export const SignInPage = ({ returnPath, value, error, formId }: SignInOptions) => (
  <CenteredPage title="Sign in">
    {returnPath?.startsWith(authorizePath) ? (
      <div>
        <h1>Sign in to connect an app</h1>
        <p class="lede">
          You'll see which app asks, and for what, before anything is connected. No password: we e-mail you a
          link.
        </p>
      </div>
    ) : (
      <div>
        <h1>Sign in to the settings</h1>
        <p class="lede">Tokens, webhooks and members of your workspace. No password: we e-mail you a link.</p>
      </div>
    )}
    <form class="card" method="post" action="/sign-in">
      <Field
        label="E-mail address"
        name="email"
        type="email"
        inputmode="email"
        autocomplete="email"
        placeholder="you@studio.example"
        maxLength={emailCharacters}
        value={value}
        error={error}
        autofocus={error !== undefined}
      />
      <input type="hidden" name="form_id" value={formId} />
      {returnPath && <input type="hidden" name="return_to" value={returnPath} />}
      <Button size="large">E-mail me a link</Button>
    </form>
    <p class="foot">
      Here to review a design? Open the link in your e-mail. Building an integration? Read{" "}
      <a href="/docs">the documentation</a>.
    </p>
  </CenteredPage>
);

/** For someone who is already signed in. */
export const SignedInPage = ({
  returnPath,
  email,
}: Pick<SignInOptions, "returnPath"> & { email: string }) => (
  <CenteredPage title="You are signed in">
    <div>
      <h1>You are signed in</h1>
      <p class="lede">
        You are signed in as <strong>{email}</strong>. To sign in as someone else, sign out first.
      </p>
    </div>
    <div class="actions">
      <Button href={returnPath ?? "/settings"}>{returnPath ? "Continue" : "Open the settings"}</Button>
      <Button kind="quiet" href="/sign-out">
        Sign out
      </Button>
    </div>
  </CenteredPage>
);

export const LinkMailedPage = ({ returnPath }: Pick<SignInOptions, "returnPath">) => (
  <CenteredPage title="Check your inbox">
    <div>
      <h1>Check your inbox</h1>
      <p class="lede" role="status">
        If the address belongs to an owner or admin of a workspace, a link is on its way to it. It works once,
        for {sessionLimits.linkMinutes} minutes.
      </p>
    </div>
    <p class="card small">
      Nothing there after a minute? Check your spam folder, or{" "}
      <a href={signInFor(returnPath)}>try another address</a>. We send at most {sessionLimits.linksAtATime}{" "}
      links at a time; the ones you already have still work.
    </p>
  </CenteredPage>
);

/**
 * The page that the link opens. Opening it does not sign anyone in, because mail scanners open links too. It shows the
 * e-mail address, so that people notice if the account isn't theirs.
 */
export const UseLinkPage = ({ path, email }: { path: string; email: string }) => (
  <CenteredPage title="Sign in">
    <div>
      <h1>Sign in</h1>
      <p class="lede">
        You're signing in as <strong>{email}</strong> in this browser.
      </p>
    </div>
    <form class="card" method="post" action={path}>
      <Button size="large">Sign in</Button>
    </form>
  </CenteredPage>
);

export const DeadLinkPage = () => (
  <CenteredPage title="This link does not work">
    <div>
      <h1>This link does not work</h1>
      <p class="lede">
        A sign-in link works once, for {sessionLimits.linkMinutes} minutes. This one was used, has expired, or
        is incomplete.
      </p>
    </div>
    <div class="actions">
      <Button href="/sign-in">E-mail me a new link</Button>
    </div>
  </CenteredPage>
);

export const SignOutPage = () => (
  <CenteredPage title="Sign out">
    <div>
      <h1>Sign out?</h1>
      <p class="lede">This signs you out in this browser. Other browsers stay signed in.</p>
    </div>
    <form class="actions" method="post" action="/sign-out">
      <Button>Sign out</Button>
      <Button kind="quiet" href="/settings">
        Back to the settings
      </Button>
    </form>
  </CenteredPage>
);
