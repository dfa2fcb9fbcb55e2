import type { Child } from "hono/jsx";
import type { Refusal } from "../../contract/refusal.ts";
import { brandStylesheet } from "../../workspace/brands/addresses.ts";
import { PageShell } from "../layout.tsx";
import type { MessageOptions } from "../message.tsx";
import { Button } from "../parts/button.tsx";
import { Alert, Empty, Note } from "../parts/card.tsx";
import { CopyField } from "../parts/copy.tsx";
import type { IconName } from "../parts/icon.tsx";
import { Crumbs } from "../parts/navigation.tsx";
import { baseOf, type C } from "./page-context.ts";
import { PhoneBar, Side } from "./sidebar.tsx";

interface SettingsPageOptions {
  c: C;
  heading: Child;
  /** The title of the browser tab, if the heading contains more than text. */
  title?: string;
  /** One sentence about the page's purpose. */
  lede?: Child;
  /** The parent page. */
  above?: { href: string; text: string } | undefined;
  /** The page's buttons, next to its heading. */
  actions?: Child;
  /** Below the heading: statuses and names. */
  under?: Child;
  /** Why the page's form was rejected, unless a field shows the error. */
  refusal?: Refusal | undefined;
  children?: Child;
}

/** The layout of every page in a workspace's settings. */
export const SettingsPage = (options: SettingsPageOptions) => {
  const { c, heading, title, refusal, children } = options;
  const { name, brand } = c.get("workspace");
  return (
    <PageShell
      title={`${title ?? String(heading)} · ${name}`}
      shape="settings"
      main="page"
      script="settings"
      brand={brandStylesheet(brand)}
      before={
        <>
          <PhoneBar c={c} />
          <Side c={c} />
        </>
      }
    >
      <Head {...options} />
      {refusal && (
        <Alert>
          <p>{textOf(refusal)}</p>
        </Alert>
      )}
      {children}
    </PageShell>
  );
};

/** A page with a single message and the menu. */
export const SettingsMessage = ({ c, heading, text, role, link }: MessageOptions & { c: C }) => (
  <SettingsPage c={c} heading={heading}>
    <p role={role}>{text}</p>
    {link && (
      <Button kind="quiet" href={link.href}>
        {link.text}
      </Button>
    )}
  </SettingsPage>
);

/** Formats a refusal with its hint. Omits the hint of a plan refusal, which is meant for programs. */
export const textOf = ({ text, hint }: Refusal): string =>
  hint && !hint.startsWith("upgrade_required") ? `${text} (${hint})` : text;

const Head = ({ heading, lede, above, actions, under }: SettingsPageOptions) => (
  <div class="head">
    <div>
      {above && <Crumbs href={above.href}>{above.text}</Crumbs>}
      <h1>{heading}</h1>
      {lede && <p class="lede">{lede}</p>}
      {under && <div class="row">{under}</div>}
    </div>
    {actions && <div class="row">{actions}</div>}
  </div>
);

/** Explains what a plan with API access would offer, and whom to ask. */
export const NeedsPlan = ({ c, icon, what }: { c: C; icon: IconName; what: "Tokens" | "Webhooks" }) => (
  <Empty
    icon={icon}
    heading={`${what} require a paid plan`}
    actions={<Button href={`${baseOf(c)}/plan`}>Compare plans</Button>}
  >
    {what === "Webhooks"
      ? "They notify your programs of events, such as a sign-off, a comment or a payment."
      : "They give programs, such as a time tracker or a design tool, access to this workspace."}{" "}
    <a href="/docs/support">Ask support</a> to move {c.get("workspace").name} to Solo, Studio or Agency.
  </Empty>
);

interface ConfirmOptions extends Pick<SettingsPageOptions, "c" | "above"> {
  /** A question. */
  heading: string;
  /** The button's label and tone. */
  button: string;
  back: string;
  /** Whether something is permanently lost. */
  isDestructive?: boolean;
  /** The form's hidden fields. */
  fields?: Record<string, unknown>;
  /** Inputs for the action's options. */
  inputs?: Child;
  children: Child;
}

/** Asks for confirmation before an action with effects elsewhere. The form posts to the page's own path. */
export const ConfirmPage = (options: ConfirmOptions) => {
  const { c, above, heading, button, back, isDestructive, fields = {}, inputs, children } = options;
  return (
    <SettingsPage c={c} heading={heading} above={above}>
      <div class="card narrow">
        {children}
        <form method="post" action={c.req.path}>
          <HiddenFields fields={fields} />
          {inputs}
          <div class="actions">
            <Button kind={isDestructive ? "bad" : undefined}>{button}</Button>
            <Button kind="quiet" href={back}>
              Cancel
            </Button>
          </div>
        </form>
      </div>
    </SettingsPage>
  );
};

/** Identifies a form whose work must be done only once, however often it is submitted (contract N7). */
export const FormId = ({ id = crypto.randomUUID() }: { id?: string }) => (
  <input type="hidden" name="form_id" value={id} />
);

export const HiddenFields = ({ fields }: { fields: Record<string, unknown> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={String(value)} />
    ))}
  </>
);

interface SecretOptions extends Pick<SettingsPageOptions, "c" | "above"> {
  heading: string;
  label: string;
  secret: string;
  hint: Child;
  back: string;
  children?: Child;
}

/**
 * The only response that shows a secret. No URL contains the secret. Resubmitting the form shows it for another minute.
 */
export const SecretPage = (options: SecretOptions) => {
  const { c, above, heading, label, secret, hint, back, children } = options;
  return (
    <SettingsPage c={c} heading={heading} above={above}>
      <CopyNow what={label.toLowerCase()} />
      <div class="card narrow">
        <CopyField label={label} id="secret" value={secret} hint={hint} />
        {children}
        <Button href={back}>Done</Button>
      </div>
    </SettingsPage>
  );
};

export const CopyNow = ({ what, children }: { what: string; children?: Child }) => (
  <Note tone="warn" icon="eyeOff" heading={`Copy the ${what} now`}>
    <p>For your safety we can't show it again. {children}</p>
  </Note>
);
