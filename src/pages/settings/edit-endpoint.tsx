import { dayMs } from "../../contract/durations.ts";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { replayLimits, webhookLimits } from "../../contract/webhook-limits.ts";
import { run } from "../../db/query.ts";
import { BackfilledDeliveries } from "../../webhooks/deliveries/record.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { EndpointFields, endpointLabels, saveEndpoint } from "./new-endpoint.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refusedPage, show } from "./responses.tsx";
import { FormId, HiddenFields, SettingsPage } from "./settings-page.tsx";
import { EndpointName, endpointIdInPath, endpointPath, endpointTitle } from "./webhooks.tsx";

/** Calls `answer` with the endpoint, unless it has been deleted. */
async function withEndpoint(
  c: C,
  answer: (endpoint: WebhookEndpoint) => Response | Promise<Response>,
): Promise<Response> {
  const endpoint = await run(c.get("services").db, findEndpoint(c.get("workspace").id, endpointIdInPath(c)));
  return endpoint?.deleted_at === null
    ? answer(endpoint)
    : refusedPage(c, noSuch("webhook endpoint", endpointIdInPath(c)));
}

const aboveOf = (c: C, endpoint: WebhookEndpoint) => ({
  href: endpointPath(c),
  text: endpointTitle(endpoint),
});

export const showEdit = (c: C, given?: RefusedForm): Promise<Response> =>
  withEndpoint(c, (endpoint) => {
    const { url, description, events, headers } = endpoint;
    const shown = given ?? { fields: { url, description: description ?? "", events: events ?? [] } };
    const errors = fieldErrors(shown, endpointLabels);
    const page = (
      <SettingsPage
        c={c}
        above={aboveOf(c, endpoint)}
        heading="Edit the endpoint"
        lede="The secret and past deliveries are kept. Waiting deliveries go to the new URL; headers aren't sent to another host."
        refusal={errors.size > 0 ? undefined : shown.refusal}
      >
        <form class="form" method="post" action={c.req.path}>
          <EndpointFields given={shown} headers={headers} />
          <div class="actions">
            <Button>Save changes</Button>
            <Button kind="bare" href={endpointPath(c)}>
              Cancel
            </Button>
          </div>
        </form>
      </SettingsPage>
    );
    return show(c, page, shown.refusal);
  });

export async function saveEdit(c: C): Promise<Response> {
  const rest = { id: endpointIdInPath(c), description: "", events: "" };
  const saved = await saveEndpoint(c, "update-webhook-endpoint", WebhookEndpoint, rest);
  return "refusal" in saved ? showEdit(c, saved) : c.redirect(endpointPath(c), 303);
}

/** Returns the start of the retention period. */
const keptSince = () => new Date(Date.now() - webhookLimits.keptDays * dayMs).toISOString();

/** Counts the events, then asks for confirmation. */
export const confirmBackfill = (c: C): Promise<Response> =>
  withEndpoint(c, async (endpoint) => {
    const since = keptSince();
    const fields = { id: endpoint.id, since, dry_run: true };
    const counted = await operate(c, "backfill-webhook-endpoint", BackfilledDeliveries, fields);
    if (counted instanceof Refusal) return refusedPage(c, counted, endpointPath(c));
    const { matched } = counted;
    const events = `${matched.toLocaleString("en-GB")} ${matched === 1 ? "event" : "events"}`;
    return show(
      c,
      <SettingsPage c={c} above={aboveOf(c, endpoint)} heading="Deliver earlier events">
        <form class="card form narrow" method="post" action={c.req.path}>
          <EndpointName endpoint={endpoint} />
          <FormId />
          <HiddenFields fields={{ since }} />
          {matched === 0 ? (
            <p>
              Every event of the last {webhookLimits.keptDays} days that it subscribes to already has a
              delivery.
            </p>
          ) : (
            <p>
              {events} from the last {webhookLimits.keptDays} days {matched === 1 ? "was" : "were"} never sent
              to this endpoint. The oldest goes first, at about {replayLimits.perSecond} per second.
            </p>
          )}
          <div class="actions">
            {matched > 0 && <Button>Deliver {events}</Button>}
            <Button kind="quiet" href={endpointPath(c)}>
              {matched > 0 ? "Cancel" : "Back to the endpoint"}
            </Button>
          </div>
        </form>
      </SettingsPage>,
    );
  });

export async function backfill(c: C): Promise<Response> {
  const fields = { since: keptSince(), ...(await fieldsOf(c)), id: endpointIdInPath(c) };
  const made = await operate(c, "backfill-webhook-endpoint", BackfilledDeliveries, fields);
  if (made instanceof Refusal) return refusedPage(c, made, endpointPath(c));
  const shown = new URLSearchParams({ endpoint: endpointIdInPath(c), replayed: `${made.created}` });
  return c.redirect(`${baseOf(c)}/deliveries?${shown}`, 303);
}
