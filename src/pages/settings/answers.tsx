import type { Child } from "hono/jsx";
import { Refusal } from "../../contract/refusal.ts";
import { statusOfOperation } from "../../http/responses.ts";
import { note } from "../../platform/log.ts";
import { failureOf } from "../../platform/unavailable.ts";
import { htmlOf } from "../layout.tsx";
import { type Section, SettingsPage } from "./settings-page.tsx";
import { baseOf, type C } from "./visit.ts";

/** What a refused form held, to be shown again, and why it was refused. */
export interface Shown {
  fields?: Record<string, unknown>;
  refusal?: Refusal;
}

/** A page; with the status of what it says is refused. */
export function show(c: C, page: Child, refusal?: Refusal): Response {
  if (refusal) note({ code: refusal.name });
  return c.html(htmlOf(page), refusal ? statusOfOperation(refusal) : 200) as Response;
}

/** A page of nothing but a refusal, with the way to where it may be mended. */
export function refusedPage(
  c: C,
  section: Section,
  refused: unknown,
  back = `${baseOf(c)}/${section}`,
): Response {
  const refusal = refused instanceof Refusal ? refused : failureOf(refused);
  const page = (
    <SettingsPage c={c} section={section} heading="That did not work" refusal={refusal}>
      <p>
        <a href={back}>Go back</a>
      </p>
    </SettingsPage>
  );
  return show(c, page, refusal);
}
