import { Refusal } from "../../contract/refusal.ts";
import { replayLimits } from "../../contract/webhook-limits.ts";
import { run } from "../../db/query.ts";
import { ReplayedDeliveries } from "../../webhooks/deliveries/record.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { Meter } from "../parts/figures.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { deliveryFields, pick, searchOf, timesOf } from "./search.ts";
import { FormId, HiddenFields, SettingsPage } from "./settings-page.tsx";
import { EndpointName, endpointTitle } from "./webhooks.tsx";

const filterFields = ["endpoint", "since", "until"] as const;

/** The number of deliveries replayed so far, and how many matched at first. */
interface Progress {
  done: number;
  total: number;
}

const number = (count: number) => count.toLocaleString("en-GB");

/** Finds an endpoint that is not deleted. */
async function endpointOf(c: C, id: unknown): Promise<WebhookEndpoint | null> {
  const found = await run(c.get("services").db, findEndpoint(c.get("workspace").id, String(id)));
  return found?.deleted_at === null ? found : null;
}

/** Shows a refusal with a link to the endpoint, where a disabled one can be enabled. */
const refused = (c: C, refusal: Refusal, endpoint: WebhookEndpoint | null) =>
  refusedPage(c, refusal, endpoint ? `${baseOf(c)}/webhooks/${endpoint.id}` : undefined);

/** Counts the deliveries and asks for confirmation. Once started, shows the progress and continues when asked. */
export async function confirmReplay(c: C): Promise<Response> {
  const filter = pick(timesOf(searchOf(c, deliveryFields)), filterFields);
  const counting = { ...filter, dry_run: true };
  const [counted, endpoint] = await Promise.all([
    operate(c, "replay-webhook-deliveries", ReplayedDeliveries, counting),
    endpointOf(c, filter.endpoint),
  ]);
  if (counted instanceof Refusal) return refused(c, counted, endpoint);
  const { matched } = counted;
  const progress = progressOf({ done: c.req.query("done"), total: c.req.query("total") });
  const hidden = progress ? { ...filter, ...progress } : filter;
  const back = `${baseOf(c)}/webhooks/${filter.endpoint}`;
  return show(
    c,
    <SettingsPage
      c={c}
      above={endpoint ? { href: back, text: endpointTitle(endpoint) } : undefined}
      heading="Replay deliveries"
    >
      <form class="card form narrow" method="post" action={c.req.path} data-steps>
        {endpoint && <EndpointName endpoint={endpoint} />}
        {progress ? <ReplayProgress progress={progress} /> : <Question filter={filter} matched={matched} />}
        <FormId />
        <HiddenFields fields={hidden} />
        <div class="actions">
          {(progress || matched > 0) && (
            <Button>{progress ? "Continue" : `Replay ${number(matched)}`}</Button>
          )}
          <Button kind="quiet" href={back}>
            {progress ? "Stop" : matched > 0 ? "Cancel" : "Back to the endpoint"}
          </Button>
        </div>
      </form>
    </SettingsPage>,
  );
}

const Question = ({ filter, matched }: { filter: Record<string, string>; matched: number }) => (
  <p>
    {matched === 0 ? "No" : number(matched)} {matched === 1 ? "delivery" : "deliveries"} of this endpoint gave
    up
    {filter.since && ` since ${filter.since}`}
    {filter.until && ` until ${filter.until}`}
    {matched === 0
      ? ": there is nothing to replay."
      : matched === 1
        ? ". It is sent again with the same id and all attempts."
        : `. They are sent again with the same ids and all attempts, about ${replayLimits.perSecond} per second.`}
  </p>
);

const ReplayProgress = ({ progress: { done, total } }: { progress: Progress }) => (
  <div class="stack" role="status">
    <Meter label={`${number(done)} of ${number(total)}`} used={done} of={total} kind="progress" />
    <p>
      {number(done)} of {number(total)} deliveries replayed. {number(total - done)} are left.
    </p>
  </div>
);

/** Parses the progress in a form or URL. It is unverified, but only displayed and used to limit the next step. */
function progressOf({ done, total }: Record<string, unknown>): Progress | undefined {
  const [of, all] = [Number(done), Number(total)];
  return Number.isSafeInteger(all) && of > 0 && of < all ? { done: Math.floor(of), total: all } : undefined;
}

/** Replays one step. The script submits the form for the next step; without JavaScript, the reader does. */
export async function replayMany(c: C): Promise<Response> {
  const { done, total, ...given } = timesOf(await fieldsOf(c));
  const before = progressOf({ done, total });
  const left = before ? before.total - before.done : replayLimits.shownDeliveries;
  const step = { ...given, limit: Math.min(left, replayLimits.shownDeliveries) };
  const replay = await operate(c, "replay-webhook-deliveries", ReplayedDeliveries, step);
  if (replay instanceof Refusal) return refused(c, replay, await endpointOf(c, given.endpoint));
  const now = { done: (before?.done ?? 0) + replay.replayed, total: before?.total ?? replay.matched };
  const filter = pick(given, filterFields);
  if (replay.replayed > 0 && now.done < now.total) {
    const shown = new URLSearchParams({ ...filter, done: `${now.done}`, total: `${now.total}` });
    return c.redirect(`${baseOf(c)}/deliveries/replay?${shown}`, 303);
  }
  const shown = new URLSearchParams({ endpoint: String(given.endpoint), replayed: `${now.done}` });
  return c.redirect(`${baseOf(c)}/deliveries?${shown}`, 303);
}
