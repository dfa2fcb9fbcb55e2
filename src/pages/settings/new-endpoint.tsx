import type * as z from "zod";
import { eventCategories } from "../../contract/closed-sets.ts";
import { invalid, Refusal, refuse } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { refusedTarget } from "../../webhooks/endpoints/create-endpoint.ts";
import { WebhookEndpointWithSecret } from "../../webhooks/endpoints/record.ts";
import { eventNames, webhookEvents } from "../../webhooks/events.ts";
import { checkTarget } from "../../webhooks/sending/public-address.ts";
import { Button } from "../parts/button.tsx";
import { Field, FieldError, Tick } from "../parts/field.tsx";
import { showAdded } from "./added-endpoint.tsx";
import { type C, fieldsOf, operate, refuseForm, textField } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refilledField, show } from "./responses.tsx";
import { FormId, NeedsPlan, SettingsPage } from "./settings-page.tsx";
import { categoryTexts, webhooksPath, whenOf } from "./webhooks.tsx";

export const endpointLabels = {
  url: "URL",
  description: "Description",
  headers: "Headers",
  events: "Events",
} as const;

const aboveOf = (c: C) => ({ href: webhooksPath(c), text: "Endpoints" });

export function showNewEndpoint(c: C, given: RefusedForm = {}): Promise<Response> {
  const errors = fieldErrors(given, endpointLabels);
  const page = (
    <SettingsPage
      c={c}
      above={aboveOf(c)}
      heading="Add an endpoint"
      lede="We send this workspace's events to its URL."
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      {c.get("workspace").api_access ? (
        <form class="form" method="post" action={webhooksPath(c)}>
          <FormId />
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

/** A refused form does not repeat the headers, which may contain secrets. */
const headersAgain = "Enter the headers again: for safety, this page doesn't repeat them";

interface EndpointFieldsOptions {
  given: RefusedForm;
  /** The names of the endpoint's existing headers. */
  headers?: readonly string[];
}

/** The fields for URL, purpose, headers and events. */
export const EndpointFields = ({ given, headers = [] }: EndpointFieldsOptions) => {
  const errors = fieldErrors(given, endpointLabels);
  return (
    <>
      <div class="card narrow">
        <Field
          label="URL"
          name="url"
          type="url"
          inputmode="url"
          maxLength={webhookLimits.urlCharacters}
          placeholder="https://example.com/webhooks"
          hint="An https URL that is reachable from the internet."
          {...refilledField(given, errors, "url")}
        />
        <Field
          label="Description"
          name="description"
          maxLength={200}
          required={false}
          hint="What the endpoint is for."
          {...refilledField(given, errors, "description")}
        />
        <Field
          label="Headers"
          name="headers"
          rows={2}
          required={false}
          placeholder="X-Gateway-Key: k3y"
          hint={
            <>
              Up to {webhookLimits.headers} headers that are sent with every delivery, one{" "}
              <code>Name: value</code> per line. Values are never shown again.{" "}
              {headers.length > 0 && (
                <>
                  To keep <code>{headers.join(", ")}</code>, leave this empty.
                </>
              )}
            </>
          }
          error={errors.get("headers") ?? (given.fields?.headers === undefined ? undefined : headersAgain)}
          autofocus={errors.keys().next().value === "headers"}
        />
        {headers.length > 0 && (
          <Tick name="without_headers" value="true">
            Remove all headers
          </Tick>
        )}
      </div>
      <Events given={given.fields ?? {}} error={errors.get("events")} />
    </>
  );
};

/** A choice between all events, and checkboxes for each category (including its future events) and each event. */
const Events = ({ given, error }: { given: Record<string, unknown>; error: string | undefined }) => {
  const chosen = Array.isArray(given.events) ? given.events : [];
  const isChosen = (name: string) => chosen.includes(name);
  const choice = given.choice ?? (chosen.length > 0 ? "some" : "all");
  return (
    <fieldset class="field chosen-events" aria-describedby={error ? "events-error" : undefined}>
      <legend class="label">Events</legend>
      <Tick type="radio" name="choice" value="all" checked={choice === "all"}>
        Every event <small>Including types that are added later.</small>
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
                <strong>{categoryTexts[category]}</strong>{" "}
                <span class="muted">all, including later ones</span>
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

/** Runs an operation with `rest` and the fields of an endpoint form. A rejected form is shown again with all errors. */
export async function saveEndpoint<S extends z.ZodType>(
  c: C,
  operation: string,
  answer: S,
  rest: Record<string, unknown>,
): Promise<z.output<S> | Required<RefusedForm>> {
  const form = await fieldsOf(c, ["events"]);
  const { own, fields } = fieldsIn(form);
  const all = { ...rest, ...fields };
  const saved = own[0] ?? (await operate(c, operation, answer, all));
  if (!(saved instanceof Refusal)) return saved;
  const verdict = await checkTarget(textField(form, "url") ?? "", c.get("services").webhookTargets);
  const wrong = [...own, refuseForm(operation, all), verdict.ok ? undefined : refusedTarget(verdict.reason)];
  return { fields: form, refusal: saved, others: wrong.filter((each) => each !== undefined) };
}

/** Returns the operation's fields, and the errors of the form itself. */
function fieldsIn({ choice, events, headers, without_headers, ...fields }: Record<string, unknown>) {
  const isWithoutEvents = choice === "some" && events === undefined;
  const chosen = headers === undefined ? (without_headers ? {} : undefined) : headersIn(String(headers));
  return {
    own: [isWithoutEvents ? refuse("no_event_chosen") : undefined, chosen].filter(
      (each) => each instanceof Refusal,
    ),
    fields: {
      ...fields,
      ...(choice !== "all" && events !== undefined && { events: withoutCovered(events) }),
      ...(chosen && !(chosen instanceof Refusal) && { headers: chosen }),
    },
  };
}

/** Drops the events in a ticked category, which includes them and hides their checkboxes. */
const withoutCovered = (chosen: unknown): unknown =>
  Array.isArray(chosen)
    ? chosen.filter(
        (name) =>
          !eventNames.some((event) => event === name && chosen.includes(webhookEvents[event].category)),
      )
    : chosen;

/** Parses `Name: value` lines. The refusal doesn't repeat a line, because it may contain a secret. */
function headersIn(text: string): Record<string, string> | Refusal {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:(.*)$/s.exec(line) ?? []);
  const names = new Set(pairs.map(([, name]) => name?.toLowerCase()));
  if (names.has(undefined)) return invalid("headers must have one Name: value per line");
  if (names.size < pairs.length) return invalid("headers must not repeat a header");
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value.trim()]));
}

export async function postEndpoint(c: C): Promise<Response> {
  const made = await saveEndpoint(c, "create-webhook-endpoint", WebhookEndpointWithSecret, { url: "" });
  return "refusal" in made ? showNewEndpoint(c, made) : showAdded(c, made);
}
