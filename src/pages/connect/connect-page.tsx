import type { Child } from "hono/jsx";
import type { Refusal } from "../../contract/refusal.ts";
import { type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import type { ConnectionRequest, WrongRequest } from "../../webhooks/connections/connection-request.ts";
import type { App } from "../../workspace/connections/app-address.ts";
import type { Session } from "../../workspace/sessions/find-session.ts";
import { CenteredPage } from "../layout.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Alert } from "../parts/card.tsx";
import { Tick } from "../parts/field.tsx";
import { categoryTexts, whenOf } from "../settings/webhooks.tsx";

/** The values of a rejected form, and why it was rejected. */
export interface Choice {
  refusal: Refusal;
  scopes: readonly Scope[];
  workspace: string | undefined;
}

interface AskedOptions {
  session: Session;
  /** This page's URL, including the request. The form is posted to it. */
  action: string;
}

/** Shows which app wants what access to which workspace, and how to revoke the access. */
export const ConnectPage = ({
  request,
  session,
  choice,
  action,
}: AskedOptions & { request: ConnectionRequest; choice: Choice | undefined }) => {
  const { app, webhook, scopes } = request;
  return (
    <CenteredPage title={`Connect ${app.host}`}>
      <Who app={app} heading="wants to connect to your workspace">
        <p class="lede">
          {app.isLocal
            ? "This is a program on your own computer. Continue only if you have just started it yourself."
            : "Continue only if you know this address and came from there. We haven't verified who runs this app."}
        </p>
      </Who>
      {choice && (
        <Alert>
          <p>{choice.refusal.alert}</p>
        </Alert>
      )}
      <form class="card connect" method="post" action={action}>
        <Workspaces session={session} chosen={choice?.workspace} />
        <fieldset class="field">
          <legend class="label">It will be able to</legend>
          {scopes.map((scope) => (
            <Permission scope={scope} isTicked={choice ? choice.scopes.includes(scope) : undefined} />
          ))}
        </fieldset>
        {webhook && <Webhook {...webhook} />}
        <NextStep app={app} />
        <div class="actions">
          <Button size="large">Connect</Button>
          <CancelButton />
        </div>
      </form>
      <Foot session={session} />
    </CenteredPage>
  );
};

/** Explains why the app cannot be connected. Only Cancel leads back to the app. */
export const WrongRequestPage = ({
  request: { app, why },
  session,
  action,
}: AskedOptions & { request: WrongRequest }) => (
  <CenteredPage title={`${app.host} can't be connected`}>
    <Who app={app} heading="can't be connected" />
    <Alert>
      <p>{why}</p>
    </Alert>
    <form class="card connect" method="post" action={action}>
      <p>Cancel takes you back to this address, with the reason:</p>
      <p>
        <code class="whole">{app.redirect.href}</code>
      </p>
      <div class="actions">
        <CancelButton />
      </div>
    </form>
    <Foot session={session} />
  </CenteredPage>
);

const Who = ({ app, heading, children }: { app: App; heading: string; children?: Child }) => (
  <div>
    <h1>
      <code class="app-host">{app.host}</code> {heading}
    </h1>
    {children}
  </div>
);

const Workspaces = ({ session, chosen }: { session: Session; chosen: string | undefined }) => {
  const [only, ...others] = session.workspaces;
  if (only && others.length === 0)
    return (
      <div class="field">
        <span class="label">Workspace</span>
        <input type="hidden" name="workspace" value={only.slug} />
        <strong>
          <bdi>{only.name}</bdi>
        </strong>
      </div>
    );
  return (
    <fieldset class="field">
      <legend class="label">Workspace</legend>
      {session.workspaces.map(({ slug, name, api_access }) => (
        <Tick
          type="radio"
          name="workspace"
          value={slug}
          checked={slug === chosen}
          disabled={!api_access}
          required
        >
          <bdi>{name}</bdi> <small>{api_access ? slug : "requires a paid plan"}</small>
        </Tick>
      ))}
    </fieldset>
  );
};

/** Checked by default, except for a sensitive scope. */
const Permission = ({ scope, isTicked }: { scope: Scope; isTicked: boolean | undefined }) => {
  const { grants, sensitive } = scopeCatalogue[scope];
  return (
    <Tick name="scope" value={scope} checked={isTicked ?? !sensitive}>
      {grants.charAt(0).toUpperCase() + grants.slice(1)}{" "}
      {sensitive && <Badge tone="warn">E-mails your clients</Badge>}
    </Tick>
  );
};

const Webhook = ({ url, events }: { url: string; events: readonly string[] }) => (
  <div class="field">
    <span class="label">It will be notified of</span>
    {events.length === 0 ? (
      <p class="small">Nothing, because it did not request permission to read any events.</p>
    ) : (
      <>
        <ul class="small">
          {events.map((event) => (
            <li>{eventWords(event)}</li>
          ))}
        </ul>
        <p class="small">
          Sent to <code class="whole">{url}</code>, if the permissions above let it read them.
        </p>
      </>
    )}
  </div>
);

/** Describes an event, or a category including its future events. */
const eventWords = (event: string): string =>
  Object.hasOwn(categoryTexts, event)
    ? `${categoryTexts[event as keyof typeof categoryTexts]}: all events, including future ones`
    : whenOf(event);

const NextStep = ({ app }: { app: App }) => (
  <div class="field">
    <span class="label">What happens next</span>
    <p class="small">
      Connect gives the app a token with the permissions that you ticked, and takes you to{" "}
      <code class="whole">{app.redirect.href}</code>
    </p>
    <p class="small">To end it later, revoke the token {app.host} under Tokens in the settings.</p>
  </div>
);

const CancelButton = (): Child => (
  <Button kind="quiet" size="large" name="cancel" value="on" formnovalidate>
    Cancel
  </Button>
);

const Foot = ({ session }: { session: Session }) => (
  <p class="foot">
    Signed in as {session.email} · <a href="/sign-out">Sign out</a>
  </p>
);
