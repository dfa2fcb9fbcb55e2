import { noSuch, Refusal } from "../../contract/refusal.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import { run } from "../../db/query.ts";
import { WebhookDelivery, WebhookDeliveryInFull } from "../../webhooks/deliveries/record.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import { refusedPage, show } from "./answers.tsx";
import { DeliveryState } from "./delivery-table.tsx";
import { Minute, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

const idOf = (c: C) => c.req.param("id") ?? "";

export async function showOneDelivery(c: C, refusal?: Refusal): Promise<Response> {
  const delivery = await operate(c, "show-webhook-delivery", WebhookDeliveryInFull, { id: idOf(c) });
  if (delivery instanceof Refusal) {
    const isNoId = delivery.name === "validation";
    return refusedPage(c, "deliveries", isNoId ? noSuch("webhook delivery", idOf(c)) : delivery);
  }
  const endpoint = await run(c.get("services").db, findEndpoint(c.get("workspace").id, delivery.endpoint_id));
  const isWaiting = delivery.status === "pending" && !delivery.held;
  const page = (
    <SettingsPage c={c} section="deliveries" heading={delivery.event} refusal={refusal} isLive={isWaiting}>
      <div data-live={isWaiting ? "waiting" : "done"} aria-live="polite">
        <Outcome c={c} delivery={delivery} isEndpointDeleted={endpoint?.deleted_at !== null} />
      </div>
      <section class="sheet" aria-labelledby="payload-heading">
        <h2 id="payload-heading">What was sent</h2>
        <pre class="payload">{JSON.stringify(delivery.payload, null, 2)}</pre>
      </section>
    </SettingsPage>
  );
  return show(c, page, refusal);
}

interface OutcomeOptions {
  c: C;
  delivery: WebhookDeliveryInFull;
  isEndpointDeleted: boolean;
}

const Outcome = ({ c, delivery, isEndpointDeleted }: OutcomeOptions) => (
  <>
    <p class="title">
      <DeliveryState delivery={delivery} /> <code>{delivery.id}</code> ·{" "}
      {isEndpointDeleted ? (
        "its endpoint was deleted"
      ) : (
        <a href={`${baseOf(c)}/webhooks/${delivery.endpoint_id}`}>its endpoint</a>
      )}
    </p>
    <section class="sheet" aria-labelledby="attempts-heading">
      <h2 id="attempts-heading">Attempts</h2>
      {(delivery.status === "pending" || delivery.attempt_log.length === 0) && (
        <Next delivery={delivery} now={new Date()} />
      )}
      {delivery.attempt_log.length > 0 && (
        <Table label="Every attempt" head={["Attempt", "At (UTC)", "Answer", "Took", "Body"]}>
          {delivery.attempt_log.map((attempt) => (
            <Attempt attempt={attempt} />
          ))}
        </Table>
      )}
      {delivery.status === "dead" && !isEndpointDeleted && (
        <form method="post" action={`${baseOf(c)}/deliveries/${delivery.id}/replay`} class="actions">
          <button type="submit">Replay</button>
        </form>
      )}
    </section>
  </>
);

const Attempt = ({ attempt }: { attempt: WebhookDeliveryInFull["attempt_log"][number] }) => (
  <tr>
    <th scope="row">{attempt.attempt_number}</th>
    <td>
      <time datetime={attempt.attempted_at}>{attempt.attempted_at.slice(0, 19).replace("T", " ")}</time>
    </td>
    <td>{attempt.response_status ?? attempt.error_class}</td>
    <td>{attempt.latency_ms} ms</td>
    <td>
      <code>{attempt.response_body ?? ""}</code>
    </td>
  </tr>
);

/** What comes next. While an attempt is under way, the next one is due at the end of its lease. */
const Next = ({ delivery, now }: { delivery: WebhookDeliveryInFull; now: Date }) => {
  const { status, held, attempts, attempt_log, next_attempt_at } = delivery;
  if (held) return <p>Held until the endpoint is enabled and the plan has webhooks.</p>;
  if (status !== "pending" || next_attempt_at === null)
    return <p>Its endpoint was deleted before anything was sent.</p>;
  const leaseEnds = new Date(now.getTime() + sendingLimits.leaseSeconds * 1000).toISOString();
  const isFirst = attempts === 0 || attempt_log.length === 0;
  if (isFirst && next_attempt_at <= leaseEnds) return <p>In flight. Reload to see how it went.</p>;
  return (
    <p>
      The next attempt is due at <Minute at={next_attempt_at} /> (UTC).
    </p>
  );
};

export async function replayOne(c: C): Promise<Response> {
  const replayed = await operate(c, "replay-webhook-delivery", WebhookDelivery, { id: idOf(c) });
  if (replayed instanceof Refusal) return showOneDelivery(c, replayed);
  return c.redirect(`${baseOf(c)}/deliveries/${replayed.id}`, 303);
}
