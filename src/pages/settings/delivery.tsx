import { noSuch, Refusal } from "../../contract/refusal.ts";
import { sendingLimits, webhookLimits } from "../../contract/webhook-limits.ts";
import { batch } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { outcomesOf } from "../../webhooks/deliveries/read-outcomes.ts";
import { WebhookDelivery, WebhookDeliveryInFull } from "../../webhooks/deliveries/record.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Code } from "../parts/copy.tsx";
import { Facts } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Ago, Minute } from "../parts/time.tsx";
import { advice, reasonText, resultText } from "./attempt-result.tsx";
import { deliveriesPath } from "./deliveries.tsx";
import { DeliveryState, eventLabel, isSending } from "./delivery-table.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { FormId, SettingsPage } from "./settings-page.tsx";
import { whenOf } from "./webhooks.tsx";

const idOf = (c: C) => c.req.param("id") ?? "";

export async function showOneDelivery(c: C, refusal?: Refusal): Promise<Response> {
  const delivery = await operate(c, "show-webhook-delivery", WebhookDeliveryInFull, { id: idOf(c) });
  if (delivery instanceof Refusal) {
    const isNoId = delivery.name === "validation";
    return refusedPage(c, isNoId ? noSuch("webhook delivery", idOf(c)) : delivery);
  }
  const organizationId = c.get("workspace").id;
  const [endpoint, [outcome]] = await batch(c.get("services").db, [
    findEndpoint(organizationId, delivery.endpoint_id),
    outcomesOf(organizationId, [delivery.id]),
  ]);
  const about = outcome?.about;
  const isWaiting = delivery.status === "pending" && !delivery.held;
  const page = (
    <SettingsPage
      c={c}
      above={{ href: deliveriesPath(c), text: "Deliveries" }}
      heading={eventLabel(delivery.event)}
      lede={
        <>
          {about && (
            <>
              <bdi>{about}</bdi> ·{" "}
            </>
          )}
          {whenOf(delivery.event)}
        </>
      }
      refusal={refusal}
    >
      <div class="two">
        <div class="stack" data-live={isWaiting ? "waiting" : "done"} aria-live="polite">
          <Outcome {...{ c, delivery, endpoint }} hasMoved={outcome?.is_of_earlier_address === 1} />
        </div>
        <Code title="What was sent" id="payload">
          {JSON.stringify(delivery.payload, null, 2)}
        </Code>
      </div>
    </SettingsPage>
  );
  return show(c, page, refusal);
}

interface OutcomeOptions {
  c: C;
  delivery: WebhookDeliveryInFull;
  endpoint: WebhookEndpoint | null;
  /** Whether the endpoint's URL has changed since the last attempt. */
  hasMoved: boolean;
}

const Outcome = ({ c, delivery, endpoint, hasMoved }: OutcomeOptions) => {
  const isDeleted = endpoint?.deleted_at !== null;
  return (
    <>
      <Verdict delivery={delivery} hasMoved={hasMoved} />
      <Card id="attempts" heading="Attempts" aside={<DeliveryState delivery={delivery} />}>
        {delivery.attempt_log.length > 0 && (
          <ol class="timeline">
            {delivery.attempt_log.map((attempt, index) => (
              <Attempt attempt={attempt} index={index} />
            ))}
          </ol>
        )}
        {(delivery.status === "pending" || delivery.attempt_log.length === 0) && (
          <Next delivery={delivery} now={new Date()} />
        )}
        {!isDeleted && isReplayable(delivery, new Date()) && <ReplayForm c={c} delivery={delivery} />}
      </Card>
      <Card id="about" heading="Details">
        <Facts
          facts={[
            [
              "Endpoint",
              isDeleted ? (
                "It was deleted"
              ) : (
                <a href={`${baseOf(c)}/webhooks/${delivery.endpoint_id}`}>{endpoint?.url}</a>
              ),
            ],
            ["Recorded", <Ago at={delivery.created_at} />],
            ["Delivery id", <code>{delivery.id}</code>],
            ["Event id", <code>{delivery.event_id}</code>],
          ]}
        />
      </Card>
    </>
  );
};

/** Explains why a delivery failed and what to do. */
const Verdict = ({ delivery, hasMoved }: Pick<OutcomeOptions, "delivery" | "hasMoved">) => {
  const last = delivery.attempt_log.at(-1);
  if (!last || last.error_class === null || delivery.status === "delivered" || isSending(delivery))
    return null;
  const gaveUp = delivery.status === "dead";
  const count = delivery.attempt_log.length;
  return (
    <Note
      tone={gaveUp ? "bad" : "warn"}
      heading={`${gaveUp ? "Gave up" : "Failed so far"} after ${count} ${count === 1 ? "attempt" : "attempts"}: ${reasonText(last)}`}
    >
      <p>{hasMoved ? "The address of the endpoint has changed since: replay the delivery." : advice(last)}</p>
    </Note>
  );
};

/** Whether a delivery is settled, or its retry is so far away that no attempt can be in progress. */
const isReplayable = ({ status, next_attempt_at }: WebhookDeliveryInFull, now: Date): boolean =>
  status !== "pending" || (next_attempt_at !== null && next_attempt_at > leaseEndOf(now));

const leaseEndOf = (now: Date) => new Date(now.getTime() + sendingLimits.leaseSeconds * 1000).toISOString();

/**
 * The form's id stays the same until the delivery changes, because the page is refreshed as soon as this part of it
 * differs.
 */
function formIdOf({ id, status, next_attempt_at, attempt_log }: WebhookDeliveryInFull): string {
  const state = sha256Hex(JSON.stringify([id, status, next_attempt_at, attempt_log.at(-1)?.attempted_at]));
  return state.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

const ReplayForm = ({ c, delivery }: Pick<OutcomeOptions, "c" | "delivery">) => (
  <form method="post" action={`${deliveriesPath(c)}/${delivery.id}/replay`} class="actions">
    <FormId id={formIdOf(delivery)} />
    <Button icon="refresh">Replay</Button>
  </form>
);

interface AttemptOptions {
  attempt: WebhookDeliveryInFull["attempt_log"][number];
  index: number;
}

/** An attempt's stored number restarts at 1 after a replay, so the page counts all attempts. */
const Attempt = ({ attempt, index }: AttemptOptions) => (
  <li>
    <span class={`step ${attempt.error_class === null ? "good" : "bad"}`}>
      <Icon name={attempt.error_class === null ? "circleCheck" : "circleX"} />
    </span>
    <div>
      <strong>
        Attempt {index + 1}
        {index > 0 && attempt.attempt_number === 1 && ", after a replay"}: {resultText(attempt)}
      </strong>
      <small>
        <Minute at={attempt.attempted_at} />
        {attempt.error_class !== null && ` · ${attempt.latency_ms} ms`}
      </small>
      {attempt.response_body && <pre class="answer">{attempt.response_body}</pre>}
    </div>
  </li>
);

/** Describes what comes next. During an attempt, the next one is due when the lease ends. */
const Next = ({ delivery, now }: { delivery: WebhookDeliveryInFull; now: Date }) => {
  const { status, held, attempts, attempt_log, next_attempt_at } = delivery;
  if (held)
    return (
      <p>
        Held until the endpoint is enabled and the plan has webhooks, for at most {webhookLimits.keptDays}{" "}
        days.
      </p>
    );
  if (status !== "pending" || next_attempt_at === null)
    return <p>Its endpoint was deleted before anything was sent.</p>;
  const isFirst = attempts === 0 || attempt_log.length === 0;
  if (isFirst && next_attempt_at <= leaseEndOf(now))
    return <p>On its way. Reload the page to see the result.</p>;
  return (
    <p>
      The next attempt is due: <Minute at={next_attempt_at} />
    </p>
  );
};

export async function replayOne(c: C): Promise<Response> {
  const fields = { ...(await fieldsOf(c)), id: idOf(c) };
  const replayed = await operate(c, "replay-webhook-delivery", WebhookDelivery, fields);
  if (replayed instanceof Refusal) return showOneDelivery(c, replayed);
  return c.redirect(`${deliveriesPath(c)}/${replayed.id}`, 303);
}
