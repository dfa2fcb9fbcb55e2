import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { batch } from "../../db/query.ts";
import { reviewLink } from "../../review/access/share-url.ts";
import { pendingReminders, shownReminders } from "../../review/reminders/pending-reminders.ts";
import { findOrganization } from "../../workspace/organizations/organization.ts";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Field } from "../parts/field.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { Minute } from "../parts/time.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refilledField, show } from "./responses.tsx";
import { SettingsPage } from "./settings-page.tsx";

const labels = { days: "Remind clients after (days)" } as const;
const pathOf = (c: C) => `${baseOf(c)}/reminders`;

export async function showReminders(c: C, given: RefusedForm = {}): Promise<Response> {
  const { id } = c.get("workspace");
  const [organization, pending] = await batch(c.get("services").db, [
    findOrganization(id),
    pendingReminders(id),
  ]);
  const days = organization?.reminder_days ?? 0;
  const errors = fieldErrors(given, labels);
  const page = (
    <SettingsPage
      c={c}
      heading="Reminders"
      lede="An e-mail to clients who haven't responded to a review."
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      {c.req.query("done") === "saved" && (
        <Note tone="good" role="status">
          <p>{savedText(days)}</p>
        </Note>
      )}
      <form class="card form narrow" method="post" action={pathOf(c)}>
        <Field
          label={labels.days}
          name="days"
          type="number"
          inputmode="numeric"
          hint={
            `0 to ${reviewLimits.reminderDays.max} days. 0 turns reminders off. Applies to reviews sent from now on. ` +
            `A client gets at most ${reviewLimits.remindersOfSend} reminders per review sent, and none once they respond.`
          }
          {...(given.fields ? refilledField(given, errors, "days") : { value: String(days) })}
        />
        <Button>Save</Button>
      </form>
      <Pending pending={pending} />
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

const savedText = (days: number): string => {
  if (days === 0) return "Clients are not reminded of reviews sent from now on.";
  return `Clients are reminded ${days === 1 ? "a day" : `${days} days`} after a review is sent, unless they respond first.`;
};

type PendingReminder = ReturnType<ReturnType<typeof pendingReminders>["read"]>[number];

const Pending = ({ pending }: { pending: readonly PendingReminder[] }) => (
  <Card id="pending" heading="Next reminders">
    {pending.length === 0 ? (
      <p class="muted">No reminders are scheduled.</p>
    ) : (
      <Table label="Next reminders" head={["Review", "Client", "When"]}>
        {pending.map(({ title, shareUrl, client, dueAt }) => (
          <tr>
            <th scope="row">
              <a href={reviewLink("", shareUrl)} dir="auto">
                {title}
              </a>
            </th>
            <Cell label="Client">
              <bdi>{client}</bdi>
            </Cell>
            <Cell label="When">
              <Minute at={dueAt} />
            </Cell>
          </tr>
        ))}
      </Table>
    )}
    {pending.length === shownReminders && <p class="hint">Only the next {shownReminders} are shown.</p>}
  </Card>
);

export async function saveReminders(c: C): Promise<Response> {
  const fields = await fieldsOf(c);
  const saved = await operate(c, "set-reminders", z.object({ reminder_days: z.int() }), fields);
  return saved instanceof Refusal
    ? showReminders(c, { fields, refusal: saved })
    : c.redirect(`${pathOf(c)}?done=saved`, 303);
}
