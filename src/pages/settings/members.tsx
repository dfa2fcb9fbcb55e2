import * as z from "zod";
import { emailCharacters } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { ListedMember } from "../../workspace/members/record.ts";
import { Badge, Field } from "../components.tsx";
import { refusedPage, type Shown, show } from "./answers.tsx";
import { only } from "./search.ts";
import { ConfirmPage, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, fieldsOf, operate, textOf } from "./visit.ts";

const pathOf = (c: C) => `${baseOf(c)}/members`;
const listed = (c: C, filter: Record<string, unknown>) =>
  operate(c, "list-members", z.array(ListedMember), filter);

const roleTexts = {
  owner: "Owner: everything, also who the owners are",
  admin: "Admin: tokens, webhooks and members",
  member: "Member: works in the workspace, no settings",
} as const;

const statusTexts = { invited: "Invited", left: "Left" } as const;

const pagePeople = 100;

export async function showMembers(c: C, given: Shown = {}): Promise<Response> {
  const found = await listed(c, { ...only(c.req.query(), ["cursor"]), limit: pagePeople + 1 });
  if (found instanceof Refusal) return refusedPage(c, "members", found);
  const members = found.slice(0, pagePeople);
  const more = found.length > pagePeople ? members.at(-1)?.id : undefined;
  const page = (
    <SettingsPage c={c} section="members" heading="Members" refusal={given.refusal}>
      <Table label="Members" head={["Name", "E-mail address", "Role", ""]}>
        {members.map(({ id, name, email, role, status }) => (
          <tr>
            <th scope="row">
              <bdi>{name ?? email}</bdi>
            </th>
            <td>{email}</td>
            <td>
              {status === "invited" && `${role} `}
              {status === "active" ? role : <Badge>{statusTexts[status]}</Badge>}
            </td>
            <td>
              {status !== "left" && (
                <a href={`${pathOf(c)}/${id}/remove`}>
                  {status === "invited" ? "Take back the invitation of" : "Remove"} {name ?? email}
                </a>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {more && <a href={`?${new URLSearchParams({ cursor: more })}`}>More members</a>}
      <section class="sheet" aria-labelledby="set-heading">
        <h2 id="set-heading">Invite someone, or change a role</h2>
        <p class="muted">
          Someone new gets an e-mail and joins once they accept it, within {limits.invitationDays} days. To
          invite them again, save their address again.
        </p>
        <form method="post" action={pathOf(c)}>
          <input type="hidden" name="form_id" value={crypto.randomUUID()} />
          <Field
            label="E-mail address"
            name="email"
            type="email"
            maxLength={emailCharacters}
            value={textOf(given.fields ?? {}, "email") ?? ""}
          />
          <Field
            label="Name"
            name="name"
            maxLength={200}
            required={false}
            value={textOf(given.fields ?? {}, "name") ?? ""}
          />
          <label for="role">Role</label>
          <select id="role" name="role">
            {Object.entries(roleTexts).map(([role, text]) => (
              <option value={role} selected={role === (textOf(given.fields ?? {}, "role") ?? "member")}>
                {text}
              </option>
            ))}
          </select>
          <div class="actions">
            <button type="submit">Save member</button>
          </div>
        </form>
      </section>
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

/** From the least to say to the most. */
const ranks: readonly unknown[] = ["none", "member", "admin", "owner"];

/** Without `confirmed`, the role that somebody has, nobody gets a lesser one: the form begins with the least. */
export async function saveMember(c: C): Promise<Response> {
  const { confirmed, ...fields } = await fieldsOf(c);
  const member = await memberWith(c, { email: textOf(fields, "email") });
  const rank = ranks.indexOf(fields.role);
  if (
    member?.status === "active" &&
    member.role !== confirmed &&
    rank >= 0 &&
    rank < ranks.indexOf(member.role)
  )
    return askLess(c, member, fields);
  const saved = await operate(c, "set-member", ListedMember, fields);
  return saved instanceof Refusal ? showMembers(c, { fields, refusal: saved }) : c.redirect(pathOf(c), 303);
}

const askLess = (c: C, { email, role }: ListedMember, fields: Record<string, unknown>) =>
  show(
    c,
    <ConfirmPage
      c={c}
      section="members"
      heading="Change a role"
      button="Change role"
      back={pathOf(c)}
      fields={{ ...fields, confirmed: role }}
    >
      <p>
        {email} is {role} now, and would be {String(fields.role)}.
        {fields.role !== "admin" &&
          " They are signed out of these settings. Tokens that they minted go on reading; they write nothing any more."}
      </p>
    </ConfirmPage>,
  );

/** The person with an id or an address; undefined if there is none, or the text is no address. */
async function memberWith(c: C, filter: Record<string, unknown>): Promise<ListedMember | undefined> {
  const found = await listed(c, filter);
  return found instanceof Refusal ? undefined : found[0];
}

async function memberOf(c: C): Promise<ListedMember | Refusal> {
  const id = c.req.param("id") ?? "";
  return (await memberWith(c, { id })) ?? noSuch("member", id);
}

export async function askRemove(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, "members", member);
  const isInvited = member.status === "invited";
  return show(
    c,
    <ConfirmPage
      c={c}
      section="members"
      heading={isInvited ? "Take an invitation back" : "Remove a member"}
      button={isInvited ? "Take back" : "Remove"}
      back={pathOf(c)}
      isDestructive
    >
      {isInvited ? (
        <p>The link that was e-mailed to {member.email} stops working.</p>
      ) : (
        <p>
          {member.email} is signed out and works here no more. Tokens that they minted go on reading; they
          write nothing any more.
        </p>
      )}
    </ConfirmPage>,
  );
}

export async function remove(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, "members", member);
  const removed = await operate(c, "set-member", ListedMember, { email: member.email, role: "none" });
  return removed instanceof Refusal ? refusedPage(c, "members", removed) : c.redirect(pathOf(c), 303);
}
