import { emailCharacters, idInput } from "../../contract/fields.ts";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { batch } from "../../db/query.ts";
import { clientPath } from "../../review/returned-mails/client-path.ts";
import { returnedDeliverables } from "../../review/returned-mails/read-returned.ts";
import { clientResource } from "../../work/clients/read-clients.ts";
import { Client } from "../../work/clients/record.ts";
import { Button } from "../parts/button.tsx";
import { Note } from "../parts/card.tsx";
import { Field } from "../parts/field.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refilledField, refusedPage, show } from "./responses.tsx";
import { ReturnedNote } from "./returned.tsx";
import { SettingsPage } from "./settings-page.tsx";

const labels = { email: "E-mail address" } as const;

export const clientPage = (c: C, id: string): string => clientPath(c.get("workspace").slug, id);

/** Shows the page for a client's e-mail address, to which review e-mails are sent. */
export async function showClient(c: C, given: RefusedForm = {}): Promise<Response> {
  const { id: organizationId } = c.get("workspace");
  const id = c.req.param("id") ?? "";
  const isId = idInput.safeParse(id).success;
  const [client, returned] = isId
    ? await batch(c.get("services").db, [
        clientResource.read(organizationId, id),
        returnedDeliverables(organizationId, id),
      ])
    : [null, []];
  if (!client) return refusedPage(c, noSuch("client", id), baseOf(c));
  const errors = fieldErrors(given, labels);
  return show(
    c,
    <SettingsPage
      c={c}
      heading={client.name}
      above={{ href: baseOf(c), text: "Overview" }}
      lede="Review e-mails are sent to this address."
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      {c.req.query("done") === "saved" && (
        <Note tone="good" role="status">
          <p>The address is saved. Send the work again, so that it reaches the client.</p>
        </Note>
      )}
      <ReturnedNote c={c} returned={returned} />
      <form class="card form narrow" method="post" action={clientPage(c, id)}>
        <Field
          label={labels.email}
          name="email"
          type="email"
          maxLength={emailCharacters}
          {...(given.fields ? refilledField(given, errors, "email") : { value: client.email ?? "" })}
        />
        <Button>Save address</Button>
      </form>
    </SettingsPage>,
    given.refusal,
  );
}

export async function saveClient(c: C): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const { email } = await fieldsOf(c);
  const saved = await operate(c, "update-client", Client, { id, email });
  return saved instanceof Refusal
    ? showClient(c, { fields: { email }, refusal: saved })
    : c.redirect(`${clientPage(c, id)}?done=saved`, 303);
}
