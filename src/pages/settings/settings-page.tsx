import type { Child } from "hono/jsx";
import type { Refusal } from "../../contract/refusal.ts";
import { Alert } from "../components.tsx";
import { PageShell } from "../layout.tsx";
import { baseOf, type C } from "./visit.ts";

const sections = [
  ["tokens", "Tokens"],
  ["webhooks", "Webhooks"],
  ["deliveries", "Deliveries"],
  ["members", "Members"],
  ["plan", "Plan"],
  ["audit-log", "Audit log"],
] as const;
export type Section = (typeof sections)[number][0];

interface SettingsPageOptions {
  c: C;
  section: Section;
  heading: string;
  /** Why the form of this page was refused. */
  refusal?: Refusal | undefined;
  isLive?: boolean;
  children?: Child;
}

/** The frame of every page of a workspace's settings. */
export const SettingsPage = ({ c, section, heading, refusal, isLive, children }: SettingsPageOptions) => {
  const { name } = c.get("workspace");
  return (
    <PageShell
      title={`${heading} · ${name}`}
      brand={name}
      aside={<Visitor c={c} />}
      shape="wide"
      isLive={isLive ?? false}
    >
      <nav class="sections" aria-label="Settings">
        {sections.map(([path, text]) => (
          <a href={`${baseOf(c)}/${path}`} aria-current={path === section ? "page" : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <h1>{heading}</h1>
      {refusal && (
        <Alert>
          <p>
            {refusal.text}
            {refusal.hint && !refusal.hint.startsWith("upgrade_required") && ` (${refusal.hint})`}
          </p>
        </Alert>
      )}
      {children}
    </PageShell>
  );
};

const Visitor = ({ c }: { c: C }) => (
  <span class="visitor">
    <span class="muted">{c.get("workspace").email}</span>
    {c.get("session").workspaces.length > 1 && <a href="/settings">Other workspaces</a>}
    <a href="/sign-out">Sign out</a>
  </span>
);

/** A table that scrolls by itself where it does not fit, also by keyboard. */
export const Table = ({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: Child;
}) => (
  <section class="scroll" aria-label={label} tabindex={0}>
    <table>
      <thead>
        <tr>{head.map((text) => (text === "" ? <td /> : <th scope="col">{text}</th>))}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

/** What stands in place of what a plan without API access refuses. */
export const NeedsPlan = ({ c }: { c: C }) => (
  <>
    API tokens and webhooks need a paid plan: see <a href={`${baseOf(c)}/plan`}>Plan and limits</a>.
  </>
);

/** What to do where nothing is yet, unless the plan refuses it. */
export const EmptyState = ({ c, isEmpty, children }: { c: C; isEmpty: boolean; children: Child }) => {
  const { api_access } = c.get("workspace");
  return api_access && !isEmpty ? null : <p class="sheet">{api_access ? children : <NeedsPlan c={c} />}</p>;
};

/** A minute, short enough for a table. */
export const Minute = ({ at }: { at: string | null }) =>
  at === null ? (
    <span class="muted">never</span>
  ) : (
    <time datetime={at}>{at.slice(0, 16).replace("T", " ")}</time>
  );

interface ConfirmOptions {
  c: C;
  section: Section;
  heading: string;
  /** What the button says, and does. */
  button: string;
  back: string;
  /** Whether something is lost for good. */
  isDestructive?: boolean;
  /** What the form sends with it. */
  fields?: Record<string, unknown>;
  children: Child;
}

/** Asks before something that is felt elsewhere; the form goes to the page's own address. */
export const ConfirmPage = ({
  c,
  section,
  heading,
  button,
  back,
  isDestructive,
  fields,
  children,
}: ConfirmOptions) => (
  <SettingsPage c={c} section={section} heading={heading} isLive>
    <div class="sheet">
      {children}
      <form method="post" action={c.req.path}>
        {Object.entries(fields ?? {}).map(([name, value]) => (
          <input type="hidden" name={name} value={String(value)} />
        ))}
        <div class="actions">
          <button type="submit" class={isDestructive ? "destructive" : undefined}>
            {button}
          </button>
          <a class="button outline" href={back}>
            Cancel
          </a>
        </div>
      </form>
    </div>
  </SettingsPage>
);

interface SecretOptions {
  c: C;
  section: Section;
  heading: string;
  label: string;
  secret: string;
  back: string;
  children?: Child;
}

/**
 * The one answer that holds a secret: it stands in no address. Its form, sent again, shows it for a minute more
 * (operations/run-operation.ts); then nothing does.
 */
export const SecretPage = ({ c, section, heading, label, secret, back, children }: SecretOptions) => (
  <SettingsPage c={c} section={section} heading={heading}>
    <div class="sheet">
      <p>
        <strong>Copy it now.</strong> It is kept as a digest or encrypted: after a minute nobody can show it
        again.
      </p>
      <label for="secret">{label}</label>
      <input id="secret" class="secret" value={secret} readonly autocomplete="off" spellcheck={false} />
      {children}
      <div class="actions">
        <a class="button" href={back}>
          Done
        </a>
      </div>
    </div>
  </SettingsPage>
);
