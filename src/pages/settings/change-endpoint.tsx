import * as z from "zod";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { batch } from "../../db/query.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import { WebhookEndpoint, WebhookEndpointWithSecret } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { Note } from "../parts/card.tsx";
import { When } from "../parts/time.tsx";
import { showRotated } from "./added-endpoint.tsx";
import { type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { ConfirmPage, SettingsPage } from "./settings-page.tsx";
import { EndpointName, endpointIdInPath, endpointPath, endpointTitle, webhooksPath } from "./webhooks.tsx";

const confirmations = {
  disable: {
    button: "Disable",
    text: `Its deliveries wait for up to ${webhookLimits.keptDays} days. They are sent when you enable it again.`,
  },
  delete: {
    button: "Delete",
    text: "Waiting deliveries are dropped, and nothing more is sent to it. This can't be undone.",
  },
  rotate: {
    button: "Rotate secret",
    text:
      `The endpoint gets a new secret. For ${webhookLimits.secretOverlapHours} hours, deliveries are signed with ` +
      "both secrets. Then the previous one stops working.",
  },
} as const;
export const confirmedActions = z.enum(["disable", "delete", "rotate"]);

/** A secret cannot be rotated while the previous one is still valid. */
const RunningOverlap = ({ until }: { until: string }) => (
  <Note tone="warn" heading="The last rotation has not ended">
    <p>
      The previous secret also signs until <When at={until} exact />. You can rotate again after that. Until
      then, give your receiver the newest secret.
    </p>
  </Note>
);

export async function confirmChange(c: C, action: keyof typeof confirmations): Promise<Response> {
  const [endpoint] = await batch(c.get("services").db, [
    findEndpoint(c.get("workspace").id, endpointIdInPath(c)),
  ]);
  if (!endpoint || endpoint.deleted_at)
    return refusedPage(c, noSuch("webhook endpoint", endpointIdInPath(c)));
  const { button, text } = confirmations[action];
  const name = endpointTitle(endpoint);
  if (action === "rotate" && endpoint.previous_secret_expires_at)
    return show(
      c,
      <SettingsPage
        c={c}
        above={{ href: endpointPath(c), text: name }}
        heading={`Rotate the secret of ${name}?`}
      >
        <div class="card narrow">
          <EndpointName endpoint={endpoint} />
          <RunningOverlap until={endpoint.previous_secret_expires_at} />
          <div class="actions">
            <Button kind="quiet" href={endpointPath(c)}>
              Back to the endpoint
            </Button>
          </div>
        </div>
      </SettingsPage>,
    );
  return show(
    c,
    <ConfirmPage
      c={c}
      above={{ href: endpointPath(c), text: name }}
      heading={`${button === "Rotate secret" ? "Rotate the secret of" : button} ${name}?`}
      button={button}
      back={endpointPath(c)}
      isDestructive={action === "delete"}
      fields={action === "disable" ? {} : { form_id: crypto.randomUUID() }}
    >
      <EndpointName endpoint={endpoint} />
      <p>{text}</p>
    </ConfirmPage>,
  );
}

export async function postChange(c: C, action: keyof typeof confirmations | "enable"): Promise<Response> {
  const fields = { ...(await fieldsOf(c)), id: endpointIdInPath(c) };
  if (action === "rotate") {
    const rotated = await operate(c, "rotate-webhook-secret", WebhookEndpointWithSecret, fields);
    return rotated instanceof Refusal ? refusedPage(c, rotated) : showRotated(c, rotated);
  }
  const changed = await operate(c, `${action}-webhook-endpoint`, WebhookEndpoint, fields);
  if (changed instanceof Refusal) return refusedPage(c, changed);
  return c.redirect(action === "delete" ? webhooksPath(c) : endpointPath(c), 303);
}
