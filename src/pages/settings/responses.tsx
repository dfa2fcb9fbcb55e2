import type { Child } from "hono/jsx";
import { Refusal } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { statusOfOperation } from "../../http/responses.ts";
import { note } from "../../platform/log.ts";
import { failureOf } from "../../platform/unavailable.ts";
import { hasFailingEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import { showPage } from "../layout.tsx";
import { Button } from "../parts/button.tsx";
import { type C, sectionPath } from "./page-context.ts";
import { SettingsPage, textOf } from "./settings-page.tsx";

/** The values of a refused form, to show them again, and the refusal. */
export interface RefusedForm {
  fields?: Record<string, unknown>;
  refusal?: Refusal;
  /** All other errors in the form, so that the reader can fix them in one go. */
  others?: readonly Refusal[];
}

/** Responds with a page, with the status of its refusal. */
export async function show(c: C, page: Child, refusal?: Refusal): Promise<Response> {
  if (refusal) note({ code: refusal.name });
  c.set("isFailing", await (c.get("failing") ?? queryFailing(c)));
  if (!refusal) return showPage(c, page);
  return showPage(c, page, statusOfOperation(refusal), { ...refusal.headers }) as Response;
}

/** If this query fails, the page is shown without the dot in its navigation. */
export const queryFailing = (c: C): Promise<boolean> =>
  run(c.get("services").db, hasFailingEndpoint(c.get("workspace").id)).catch(() => false);

/** Responds with a page that shows only an error message and a link to resolve it. */
export function refusedPage(c: C, refused: unknown, back = sectionPath(c)): Promise<Response> {
  const refusal = refused instanceof Refusal ? refused : failureOf(refused);
  const page = (
    <SettingsPage c={c} heading="That did not work" refusal={refusal}>
      <Button kind="quiet" icon="chevronLeft" href={back}>
        Go back
      </Button>
    </SettingsPage>
  );
  return show(c, page, refusal);
}

/** The errors of a refused form by field, in the form's order. */
export type FieldErrors = ReadonlyMap<string, string>;

/** Prefixes of refusals whose text does not begin with the field's name. */
const fieldsOfNames = [
  ["url_", "url"],
  ["scope_", "scopes"],
  ["no_scope_", "scopes"],
  ["no_event_", "events"],
] as const;

/** Returns each field's error in a refused form, with the field's label. */
export function fieldErrors(
  { refusal, others = [] }: RefusedForm,
  labels: Readonly<Record<string, string>>,
): FieldErrors {
  const errors = (refusal ? [refusal, ...others] : []).flatMap((each) => errorsIn(each, labels));
  const names = Object.keys(labels);
  return new Map(errors.toReversed().sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)));
}

function errorsIn(refusal: Refusal, labels: Readonly<Record<string, string>>): [string, string][] {
  const named = fieldsOfNames.find(([name, field]) => refusal.name.startsWith(name) && field in labels)?.[1];
  if (named) return [[named, refusal.alert === refusal.text ? textOf(refusal) : refusal.alert]];
  const texts = [textOf(refusal), ...refusal.problems.slice(1).map(({ message }) => message)];
  const errors = texts.map((text): [string, string] | undefined => {
    const field = Object.keys(labels).find((name) => text.startsWith(`${name} `));
    return field === undefined ? undefined : [field, (labels[field] ?? "") + text.slice(field.length)];
  });
  // If the first problem has no field, the refusal is shown above the form.
  return errors[0] ? errors.filter((each) => each !== undefined) : [];
}

/** A field of a refused form, with its value and error; the first one with an error gets the focus. */
export const refilledField = ({ fields = {} }: RefusedForm, errors: FieldErrors, name: string) => ({
  value: typeof fields[name] === "string" ? fields[name] : "",
  error: errors.get(name),
  autofocus: errors.keys().next().value === name,
});
