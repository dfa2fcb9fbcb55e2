import * as z from "zod";
import { emailCharacters } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { problemText } from "../../review/returned-mails/problem-texts.ts";
import { ListedMember } from "../../workspace/members/record.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Pager } from "../parts/navigation.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { listPage, type ShownPage } from "./list-page.ts";
import { baseOf, type C, fieldsOf, operate, textField } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refilledField, refusedPage, show } from "./responses.tsx";
import { ConfirmPage, FormId, HiddenFields, SettingsPage } from "./settings-page.tsx";

const pathOf = (c: C) => `${baseOf(c)}/members`;
const aboveOf = (c: C) => ({ href: pathOf(c), text: "Members" });

const roleTexts = {
  owner: "Owner: full access",
  admin: "Admin: tokens, webhooks and members",
  member: "Member: no access to settings",
} as const;

const roleNames = { owner: "Owner", admin: "Admin", member: "Member", none: "" } as const;

/** Returns the roles that the reader can assign. Only owners can make someone an owner. */
const rolesFor = (c: C) =>
  Object.entries(roleTexts).filter(([role]) => role !== "owner" || c.get("workspace").role === "owner");

const labels = { email: "E-mail address", name: "Name", role: "Role" } as const;

export async function showMembers(c: C, given: RefusedForm = {}): Promise<Response> {
  const page = await listPage(c, "list-members", ListedMember);
  if (page instanceof Refusal) return refusedPage(c, page);
  const errors = fieldErrors(given, labels);
  return show(
    c,
    <SettingsPage
      c={c}
      heading="Members"
      lede={`Who works in ${c.get("workspace").name}, and who can change these settings.`}
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      {c.req.query("done") === "invited" && (
        <Note tone="good" role="status">
          <p>The invitation is on its way. It works for {limits.invitationDays} days.</p>
        </Note>
      )}
      <div class="card flush">
        <Table label="Members" head={["Name", "Role", ""]}>
          {page.rows.map((member) => (
            <Row c={c} member={member} mayChange={mayChange(c, member, page)} />
          ))}
        </Table>
      </div>
      {page.next && <Pager href={`?cursor=${page.next}`}>More members</Pager>}
      <Card id="invite" heading="Invite someone">
        <form class="form" method="post" action={pathOf(c)}>
          <FormId />
          <div class="two">
            <Field
              label={labels.email}
              name="email"
              type="email"
              maxLength={emailCharacters}
              {...refilledField(given, errors, "email")}
            />
            <Field
              label={labels.name}
              name="name"
              maxLength={200}
              required={false}
              {...refilledField(given, errors, "name")}
            />
          </div>
          <Select
            label={labels.role}
            name="role"
            options={rolesFor(c)}
            chosen={textField(given.fields ?? {}, "role") ?? "member"}
            error={errors.get("role")}
          />
          <p class="hint">They get an e-mail with a link that works for {limits.invitationDays} days.</p>
          <Button icon="mail">Send invitation</Button>
        </form>
      </Card>
    </SettingsPage>,
    given.refusal,
  );
}

/** Only owners can change an owner's role, and at least one owner must remain. */
function mayChange(c: C, member: ListedMember, { rows, next }: ShownPage<ListedMember>): boolean {
  if (member.status === "left") return false;
  if (member.role !== "owner" || member.status === "invited")
    return member.role !== "owner" || c.get("workspace").role === "owner";
  const owners = rows.filter(({ role, status }) => role === "owner" && status === "active");
  return c.get("workspace").role === "owner" && (owners.length > 1 || next !== undefined);
}

const Row = ({ c, member, mayChange }: { c: C; member: ListedMember; mayChange: boolean }) => {
  const { id, name, email, role, status, delivery_problem } = member;
  return (
    <tr>
      <th scope="row">
        <div class="person">
          <Avatar name={name ?? email} />
          <span>
            <bdi id={`member-${id}`}>{name ?? email}</bdi>{" "}
            {email.toLowerCase() === c.get("workspace").email.toLowerCase() && <Badge>You</Badge>}
            {name && <small>{email}</small>}
          </span>
        </div>
      </th>
      <Cell phone="line">
        {roleNames[role]} {status === "invited" && <Badge tone="warn">Invitation sent</Badge>}
        {status === "left" && <Badge>Left</Badge>}
        {delivery_problem && (
          <>
            {" "}
            <Badge tone="bad">Not delivered</Badge>
            <p class="small">
              <bdi>{problemText(delivery_problem)}</bdi>
            </p>
          </>
        )}
      </Cell>
      <Cell atEnd>{mayChange && <Changes c={c} member={member} />}</Cell>
    </tr>
  );
};

const Changes = ({ c, member: { id, name, email, role, status } }: { c: C; member: ListedMember }) => (
  <div class="actions">
    {status === "invited" ? (
      <form class="actions" method="post" action={pathOf(c)}>
        <FormId />
        <HiddenFields fields={{ email, role, ...(name !== null && { name }) }} />
        <Button kind="quiet" size="slim" aria-describedby={`member-${id}`}>
          Send again
        </Button>
      </form>
    ) : (
      <Button kind="quiet" size="slim" href={`${pathOf(c)}/${id}/role`} aria-describedby={`member-${id}`}>
        Change role
      </Button>
    )}
    <Button kind="bad-quiet" size="slim" href={`${pathOf(c)}/${id}/remove`} aria-describedby={`member-${id}`}>
      {status === "invited" ? "Cancel invitation" : "Remove"}
    </Button>
  </div>
);

/** From the fewest permissions to the most. */
const ranks: readonly unknown[] = ["none", "member", "admin", "owner"];

/**
 * Saves a member. Lowering a role needs confirmation, because the form starts with the lowest role. `confirmed` repeats
 * the role that was shown.
 */
export async function saveMember(c: C): Promise<Response> {
  const { confirmed, ...fields } = await fieldsOf(c);
  const member = await memberWith(c, { email: textField(fields, "email") });
  const rank = ranks.indexOf(fields.role);
  if (
    member?.status === "active" &&
    member.role !== confirmed &&
    rank >= 0 &&
    rank < ranks.indexOf(member.role)
  )
    return confirmLowering(c, member, fields);
  const saved = await operate(c, "set-member", ListedMember, fields);
  if (saved instanceof Refusal) return showMembers(c, { fields, refusal: saved });
  return c.redirect(saved.status === "invited" ? `${pathOf(c)}?done=invited` : pathOf(c), 303);
}

/** Formats a role for use in a sentence. */
const articleOf = (role: unknown): string =>
  role === "owner" || role === "admin" ? `an ${role}` : role === "member" ? "a member" : "without a role";

const confirmLowering = (c: C, { email, role }: ListedMember, fields: Record<string, unknown>) =>
  show(
    c,
    <ConfirmPage
      c={c}
      above={aboveOf(c)}
      heading="Lower their role?"
      button="Change role"
      back={pathOf(c)}
      fields={{ ...fields, confirmed: role }}
    >
      <p>
        {email} is now {articleOf(role)} and will become {articleOf(fields.role)}.
        {fields.role !== "admin" &&
          " They will be signed out of these settings. Tokens that they created can still read, but can no longer write."}
      </p>
    </ConfirmPage>,
  );

/** Finds the person with this id or e-mail address; undefined if there is none, or if the address is invalid. */
async function memberWith(c: C, filter: Record<string, unknown>): Promise<ListedMember | undefined> {
  const found = await operate(c, "list-members", z.array(ListedMember), filter);
  return found instanceof Refusal ? undefined : found[0];
}

async function memberOf(c: C): Promise<ListedMember | Refusal> {
  const id = c.req.param("id") ?? "";
  return (await memberWith(c, { id })) ?? noSuch("member", id);
}

export async function confirmRole(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, member);
  const { name, email, role } = member;
  return show(
    c,
    <SettingsPage c={c} above={aboveOf(c)} heading={`Change the role of ${name ?? email}`}>
      <form class="card form narrow" method="post" action={pathOf(c)}>
        <FormId />
        <HiddenFields fields={{ email }} />
        <Select label="Role" name="role" options={rolesFor(c)} chosen={role} />
        <div class="actions">
          <Button>Save role</Button>
          <Button kind="quiet" href={pathOf(c)}>
            Cancel
          </Button>
        </div>
      </form>
    </SettingsPage>,
  );
}

export async function confirmRemove(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, member);
  const isInvited = member.status === "invited";
  const who = member.name ?? member.email;
  return show(
    c,
    <ConfirmPage
      c={c}
      above={aboveOf(c)}
      heading={isInvited ? `Cancel the invitation of ${who}?` : `Remove ${who}?`}
      button={isInvited ? "Cancel invitation" : "Remove"}
      back={pathOf(c)}
      isDestructive
      fields={{ form_id: crypto.randomUUID(), email: member.email }}
    >
      {isInvited ? (
        <p>The link that was e-mailed to {member.email} stops working.</p>
      ) : (
        <p>
          {member.email} is signed out and can no longer work here. The tokens they created can still read,
          but no longer write.
        </p>
      )}
    </ConfirmPage>,
  );
}

export async function remove(c: C): Promise<Response> {
  const { form_id, email } = await fieldsOf(c);
  // The form contains the address, because a canceled invitation is deleted and cannot be found by a second submit.
  const member = email === undefined ? await memberOf(c) : { email };
  if (member instanceof Refusal) return refusedPage(c, member);
  const removed = await operate(c, "set-member", ListedMember, {
    form_id,
    email: member.email,
    role: "none",
  });
  return removed instanceof Refusal ? refusedPage(c, removed) : c.redirect(pathOf(c), 303);
}
