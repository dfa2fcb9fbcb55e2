import type { Child } from "hono/jsx";
import * as z from "zod";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../core/audit-log/record.ts";
import { batch } from "../../db/query.ts";
import { ShownRequest } from "../../operations/shown-request.ts";
import { recordNames } from "../../review/record-names.ts";
import type { TracedEvent } from "../../webhooks/deliveries/record.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import type { ApiRequest } from "../../workspace/request-log/record.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Code } from "../parts/copy.tsx";
import { Facts } from "../parts/figures.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Minute } from "../parts/time.tsx";
import { phraseOf, phraseText } from "./actions.ts";
import { resultText } from "./attempt-result.tsx";
import { deliveriesPath } from "./deliveries.tsx";
import { type C, operate } from "./page-context.ts";
import { requestsPath, StatusBadge } from "./requests.tsx";
import { refusedPage, show } from "./responses.tsx";
import { SettingsPage } from "./settings-page.tsx";

type Delivery = TracedEvent["deliveries"][number];

export async function showOneRequest(c: C): Promise<Response> {
  const request_id = c.req.param("id") ?? "";
  const request = await operate(c, "show-request", ShownRequest, { request_id });
  if (request instanceof Refusal) {
    const isNoId = request.name === "validation";
    return refusedPage(c, isNoId ? noSuch("request", request_id) : request);
  }
  const [actions, addresses] = await Promise.all([actionsOf(c, request), addressesOf(c, request)]);
  const changed = actions.flatMap(({ subject_id }) => subject_id ?? []);
  const names = await recordNames(c.get("services").db, c.get("workspace").id, changed);
  return show(
    c,
    <SettingsPage
      c={c}
      above={{ href: requestsPath(c), text: "Requests" }}
      heading={<code>{nameOf(request)}</code>}
      title={nameOf(request)}
      under={
        <>
          <StatusBadge status={request.status} />
          <span class="muted">
            <Minute at={request.at} /> · {request.duration_ms} ms
          </span>
        </>
      }
    >
      <div class="two">
        <Card id="trace" heading="What happened">
          <ol class="timeline">
            <Step icon="key" tone="link" text={<RequestStep request={request} />}>
              {nameOf(request)}
            </Step>
            {actions.map((entry) => (
              <Step
                icon="pencil"
                tone="good"
                text={`It ${phraseText(phraseOf(entry, names.get(entry.subject_id ?? "")))}`}
              >
                <code>{entry.subject_id}</code>
              </Step>
            ))}
            <Answered request={request} />
            {request.events.map((event) => (
              <RecordedEvent {...{ c, event, addresses }} />
            ))}
          </ol>
        </Card>
        <div class="stack">
          <About c={c} request={request} />
          <Code title="Repeat this call" id="curl">
            {curlOf(c, request)}
          </Code>
          <Beside c={c} request={request} />
        </div>
      </div>
    </SettingsPage>,
  );
}

const nameOf = ({ method, route }: ApiRequest): string => `${method} ${route}`;

/** The database's and the Worker's clocks differ by less than this. */
const toleranceMs = 10_000;

/** Finds the request's audit log entries. */
async function actionsOf(c: C, request: ShownRequest): Promise<AuditEntry[]> {
  const atMs = Date.parse(request.at);
  const found = await operate(c, "audit-log", z.array(AuditEntry), {
    token: request.token.id,
    since: new Date(atMs - toleranceMs).toISOString(),
    until: new Date(atMs + request.duration_ms + toleranceMs).toISOString(),
    limit: 1000,
  });
  return found instanceof Refusal ? [] : found.filter(({ id }) => id === request.request_id);
}

const Beside = ({ c, request }: { c: C; request: ShownRequest }) => {
  const { previous_request_id: previous, next_request_id: next } = request;
  return (
    (previous ?? next) && (
      <nav class="actions" aria-label="Requests of this token">
        {previous && (
          <Button kind="quiet" icon="chevronLeft" href={`${requestsPath(c)}/${previous}`}>
            Previous request
          </Button>
        )}
        {next && (
          <Button kind="quiet" href={`${requestsPath(c)}/${next}`}>
            Next request
            <Icon name="chevronRight" />
          </Button>
        )}
      </nav>
    )
  );
};

/** Builds a shell command from what is stored, which excludes the query string and the body. */
function curlOf(c: C, { method, route, subject_id }: ShownRequest): string {
  const path = subject_id === null ? route : route.replace("{id}", subject_id);
  const [apikey = ""] = c.env.GATEWAY_PUBLIC_KEY.split(",");
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${new URL(c.req.url).origin}${path}'`,
    `-H 'apikey: ${apikey.trim()}'`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(method === "GET"
      ? []
      : ["-H 'Content-Type: application/json'", '-H "Idempotency-Key: $(uuidgen)"', "-d @body.json"]),
  ].join(" \\\n  ");
}

/** Finds the URLs of the endpoints that the events went to, by id. */
async function addressesOf(c: C, { events }: ShownRequest): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap((event) => event.deliveries.map(({ endpoint_id }) => endpoint_id)))];
  const queries = ids.map((id) => findEndpoint(c.get("workspace").id, id));
  const found = queries.length > 0 ? await batch(c.get("services").db, queries) : [];
  return new Map(found.flatMap((endpoint) => (endpoint ? [[endpoint.id, endpoint.url]] : [])));
}

interface StepOptions {
  icon: IconName;
  tone: "good" | "warn" | "bad" | "link";
  text: Child;
  children?: Child;
}

const Step = ({ icon, tone, text, children }: StepOptions) => (
  <li>
    <span class={`step ${tone}`}>
      <Icon name={icon} />
    </span>
    <div>
      <strong>{text}</strong>
      {children && <small>{children}</small>}
    </div>
  </li>
);

const RequestStep = ({ request }: { request: ApiRequest }) => (
  <>
    <bdi>{request.token.name}</bdi> sent a request
  </>
);

const Answered = ({ request: { status, error, code, replay } }: { request: ApiRequest }) => {
  if (status < 400)
    return (
      <Step icon="circleCheck" tone="good" text={`Returned ${status}`}>
        {replay && "An earlier request with this Idempotency-Key did the work."}
      </Step>
    );
  return (
    <Step
      icon="circleX"
      tone={status === 429 ? "warn" : "bad"}
      text={`${status < 500 ? "Refused" : "Failed"}: ${status}`}
    >
      {error} · <a href={`/docs/errors#${code ?? status}`}>What it means</a>
    </Step>
  );
};

interface RecordedEventOptions {
  c: C;
  event: TracedEvent;
  addresses: ReadonlyMap<string, string>;
}

const RecordedEvent = ({ c, event, addresses }: RecordedEventOptions) => (
  <>
    <Step
      icon="zap"
      tone="link"
      text={
        <>
          <code>{event.event}</code> was recorded
        </>
      }
    >
      {event.deliveries.length === 0 && "No endpoint subscribes to it."}
    </Step>
    {event.deliveries.map((delivery) => (
      <Delivered {...{ c, delivery }} address={addresses.get(delivery.endpoint_id)} />
    ))}
  </>
);

const outcomes = {
  delivered: { icon: "circleCheck", tone: "good", text: "accepted it" },
  dead: { icon: "circleX", tone: "bad", text: "did not accept it" },
  pending: { icon: "clock", tone: "warn", text: "has not accepted it yet" },
} as const;

const Delivered = ({ c, delivery, address }: { c: C; delivery: Delivery; address: string | undefined }) => {
  const { icon, tone, text } = outcomes[delivery.status];
  const last = delivery.attempts.at(-1);
  const count = delivery.attempts.length;
  return (
    <Step icon={icon} tone={tone} text={`${address?.replace(/^https?:\/\//, "") ?? "An endpoint"} ${text}`}>
      {last && (
        <>
          {resultText(last)} · {count} {count === 1 ? "attempt" : "attempts"} ·{" "}
        </>
      )}
      <a href={`${deliveriesPath(c)}/${delivery.id}`}>See the delivery</a>
    </Step>
  );
};

const About = ({ c, request }: { c: C; request: ApiRequest }) => (
  <Card id="about" heading="Details">
    <Facts
      facts={[
        ["Token", <a href={`${requestsPath(c)}?token=${request.token.id}`}>{request.token.name}</a>],
        ...(request.subject_id ? [["Record", <code>{request.subject_id}</code>] as const] : []),
        ...(request.code ? [["Code", <code>{request.code}</code>] as const] : []),
        ...(request.replay ? [["Replay", <Badge>Yes</Badge>] as const] : []),
        ...(request.count && request.count > 1
          ? [["Requests in this minute", request.count.toLocaleString("en")] as const]
          : []),
        [
          "Route",
          <a href={`${requestsPath(c)}?${new URLSearchParams({ route: request.route })}`}>{request.route}</a>,
        ],
      ]}
    />
    <h3>Headers</h3>
    <Facts
      facts={[
        ["Authorization", <code>Bearer {request.token.token_prefix}…</code>],
        ["X-Request-Id", <code>{request.request_id}</code>],
      ]}
    />
    <p class="hint">Other headers and the bodies are not kept.</p>
  </Card>
);
