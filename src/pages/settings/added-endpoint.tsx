import type { WebhookEndpointWithSecret } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { Code, CopyField } from "../parts/copy.tsx";
import type { C } from "./page-context.ts";
import { show } from "./responses.tsx";
import { CopyNow, FormId, SecretPage, SettingsPage } from "./settings-page.tsx";
import { webhooksPath } from "./webhooks.tsx";

/** The pages that show an endpoint's secret. */

const aboveOf = (c: C) => ({ href: webhooksPath(c), text: "Endpoints" });
const hintOf = (url: string) => `The receiver at ${url} verifies every delivery with it.`;

/** Shows the new endpoint's secret and what to do next, first of all a test delivery. */
export const showAdded = (c: C, { id, url, secret }: WebhookEndpointWithSecret): Promise<Response> =>
  show(
    c,
    <SettingsPage
      c={c}
      above={aboveOf(c)}
      heading="Endpoint added"
      lede="Give the secret to the receiver's developer, then send a test."
    >
      <CopyNow what="secret" />
      <div class="card narrow">
        <CopyField label="Secret" id="secret" value={secret} hint={hintOf(url)} />
        <form class="actions" method="post" action={`${webhooksPath(c)}/${id}/test`}>
          <FormId />
          <Button icon="zap">Send a test</Button>
          <Button kind="quiet" href={`${webhooksPath(c)}/${id}`}>
            Done
          </Button>
        </form>
      </div>
      <div class="stack narrow">
        <Code title="Verify a delivery" id="verify">
          {verification}
        </Code>
        <Code title="Certify the receiver" id="certify">
          {certificationOf(url)}
        </Code>
        <p class="hint">
          <a href="/docs/webhooks">Receive webhooks</a> shows the same in Python and with other libraries.
        </p>
      </div>
    </SettingsPage>,
  );

const verification = `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

export async function POST(request) {
  const body = await request.text();
  try {
    const event = webhook.verify(body, Object.fromEntries(request.headers));
    console.log(event.event, event.data);
    return new Response(null, { status: 204 });
  } catch {
    return new Response(null, { status: 400 }); // not from us
  }
}`;

/** Quotes an argument for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const certificationOf = (url: string): string =>
  [
    "npx --no --package=partner-api-client",
    `  partner-api certify ${quoted(url)}`,
    '  --secret "$WEBHOOK_SECRET"',
  ].join(" \\\n");

export const showRotated = (
  c: C,
  { id, url, secret, previous_secret_expires_at: previousEnds }: WebhookEndpointWithSecret,
): Promise<Response> =>
  show(
    c,
    <SecretPage
      c={c}
      above={aboveOf(c)}
      heading="Secret rotated"
      label="Secret"
      secret={secret}
      hint={hintOf(url)}
      back={`${webhooksPath(c)}/${id}`}
    >
      {previousEnds && (
        <p class="hint">
          The previous secret also signs until {previousEnds.slice(0, 16).replace("T", " ")} UTC.
        </p>
      )}
    </SecretPage>,
  );
