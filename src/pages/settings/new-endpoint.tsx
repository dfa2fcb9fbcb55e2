import { eventCategories } from "../../contract/closed-sets.ts";
import { invalid, Refusal, refuse } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { WebhookEndpointWithSecret } from "../../webhooks/endpoints/record.ts";
import { eventNames, webhookEvents } from "../../webhooks/events.ts";
import { Button } from "../parts/button.tsx";
import { Field, FieldError, Tick } from "../parts/field.tsx";
import { problemOf, refilled, type Shown, show } from "./answers.tsx";
import { type C, fieldsOf, operate } from "./page-context.ts";
import { NeedsPlan, SecretPage, SettingsPage } from "./settings-page.tsx";
import { categoryTexts, webhooksPath, whenOf } from "./webhooks.tsx";

export const endpointLabels = {
  url: "URL",
  description: "Description",
  headers: "Headers",
  events: "Events",
} as const;

const aboveOf = (c: C) => ({ href: webhooksPath(c), text: "Endpoints" });

export function showNewEndpoint(c: C, given: Shown = {}): Promise<Response> {
  const problem = problemOf(given.refusal, endpointLabels);
  const page = (
    <SettingsPage
      c={c}
      section="webhooks"
      above={aboveOf(c)}
      heading="Add an endpoint"
      lede="We send events of this workspace to its URL."
      refusal={problem ? undefined : given.refusal}
    >
      {c.get("workspace").api_access ? (
        <form class="form" method="post" action={webhooksPath(c)}>
          <input type="hidden" name="form_id" value={crypto.randomUUID()} />
          <EndpointFields given={given} />
          <div class="actions">
            <Button>Add endpoint</Button>
            <Button kind="bare" href={webhooksPath(c)}>
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <NeedsPlan c={c} icon="webhook" what="Webhooks" />
      )}
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

interface EndpointFieldsOptions {
  given: Shown;
  /** The names of the endpoint's existing headers. */
  headers?: readonly string[];
}

/** The address, the purpose, the headers and the events. */
export const EndpointFields = ({ given, headers = [] }: EndpointFieldsOptions) => {
  const problem = problemOf(given.refusal, endpointLabels);
  return (
    <>
      <div class="card narrow">
        <Field
          label="URL"
          name="url"
          type="url"
          inputmode="url"
          maxLength={webhookLimits.urlCharacters}
          placeholder="https://hooks.example.com/partner-api"
          hint="An https address that is reachable from the internet."
          {...refilled(given, problem, "url")}
        />
        <Field
          label="Description"
          name="description"
          maxLength={200}
          required={false}
          hint="What runs there, in your words."
          {...refilled(given, problem, "description")}
        />
        <Field
          label="Headers"
          name="headers"
          rows={2}
          required={false}
          placeholder="X-Gateway-Key: k3y"
          hint={
            <>
              Sent with every delivery, up to {webhookLimits.headers}, one <code>Name: value</code> per line.
              Values are never shown again.{" "}
              {headers.length > 0 && (
                <>
                  It has <code>{headers.join(", ")}</code>: leave this empty to keep them.
                </>
              )}
            </>
          }
          error={problem?.field === "headers" ? problem.error : undefined}
          autofocus={problem?.field === "headers"}
        />
        {headers.length > 0 && (
          <Tick name="without_headers" value="true">
            Remove all headers
          </Tick>
        )}
      </div>
      <Events given={given.fields ?? {}} error={problem?.field === "events" ? problem.error : undefined} />
    </>
  );
};

/** All events, or a checkbox for each category, which includes its future events, and one for each event. */
const Events = ({ given, error }: { given: Record<string, unknown>; error: string | undefined }) => {
  const chosen = Array.isArray(given.events) ? given.events : [];
  const isChosen = (name: string) => chosen.includes(name);
  const choice = given.choice ?? (chosen.length > 0 ? "some" : "all");
  return (
    <fieldset class="field chosen-events" aria-describedby={error ? "events-error" : undefined}>
      <legend class="label">Events</legend>
      <Tick type="radio" name="choice" value="all" checked={choice === "all"}>
        Every event <small>Future ones too.</small>
      </Tick>
      <Tick type="radio" name="choice" value="some" checked={choice === "some"}>
        Only these
      </Tick>
      {error && <FieldError id="events-error">{error}</FieldError>}
      <div class="card flush">
        {eventCategories.map((category) => (
          <div class="event-group">
            <label class="check">
              <input type="checkbox" name="events" value={category} checked={isChosen(category)} />
              <span>
                <strong>{categoryTexts[category]}</strong> <span class="muted">all, future ones too</span>
                <code>{category}</code>
              </span>
            </label>
            <div class="events">
              {eventNames
                .filter((name) => webhookEvents[name].category === category)
                .map((name) => (
                  <label class="check">
                    <input type="checkbox" name="events" value={name} checked={isChosen(name)} />
                    <span>
                      {whenOf(name)}
                      <code>{name}</code>
                    </span>
                  </label>
                ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
};

/** The operation's fields. If no checkbox is ticked, every event is sent. */
export function chosenIn({
  choice,
  events,
  headers,
  without_headers,
  ...fields
}: Record<string, unknown>): Record<string, unknown> | Refusal {
  if (choice === "some" && events === undefined) return refuse("no_event_chosen");
  const chosen = headers === undefined ? (without_headers ? {} : undefined) : headersIn(String(headers));
  if (chosen instanceof Refusal) return chosen;
  return {
    ...fields,
    ...(choice !== "all" && events !== undefined && { events }),
    ...(chosen && { headers: chosen }),
  };
}

/** A refusal does not repeat the line, which may contain a secret value. */
function headersIn(text: string): Record<string, string> | Refusal {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:(.*)$/s.exec(line) ?? []);
  const names = new Set(pairs.map(([, name]) => name?.toLowerCase()));
  if (names.has(undefined)) return invalid("headers must have one Name: value per line");
  if (names.size < pairs.length) return invalid("headers must name each header once");
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value.trim()]));
}

export async function postEndpoint(c: C): Promise<Response> {
  const fields = await fieldsOf(c, ["events"]);
  const chosen = chosenIn(fields);
  const made =
    chosen instanceof Refusal
      ? chosen
      : await operate(c, "create-webhook-endpoint", WebhookEndpointWithSecret, { url: "", ...chosen });
  return made instanceof Refusal ? showNewEndpoint(c, { fields, refusal: made }) : showSecret(c, made);
}

export const showSecret = (
  c: C,
  { id, url, secret, previous_secret_expires_at: previousEnds }: WebhookEndpointWithSecret,
): Promise<Response> =>
  show(
    c,
    <SecretPage
      c={c}
      section="webhooks"
      above={aboveOf(c)}
      heading={previousEnds ? "Secret rotated" : "Endpoint added"}
      label="Secret"
      secret={secret}
      hint={`${url} verifies every delivery with it.`}
      back={`${webhooksPath(c)}/${id}`}
    >
      {previousEnds && (
        <p class="hint">
          The previous secret also signs until {previousEnds.slice(0, 16).replace("T", " ")} UTC.
        </p>
      )}
    </SecretPage>,
  );
