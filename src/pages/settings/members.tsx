import * as z from "zod";
import { emailCharacters } from "../../contract/fields.ts";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { Member } from "../../contract/workspace/organization.ts";
import { Badge, Field } from "../components.tsx";
import { refusedPage, type Shown, show } from "./answers.tsx";
import { ConfirmPage, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, fieldsOf, operate, textOf } from "./visit.ts";

const pathOf = (c: C) => `${baseOf(c)}/members`;
const listed = (c: C) => operate(c, "list-members", z.array(Member));

const roleTexts = {
  owner: "Owner: everything, also who the owners are",
  admin: "Admin: tokens, webhooks and members",
  member: "Member: works in the workspace, no settings",
} as const;

export async function showMembers(c: C, given: Shown = {}): Promise<Response> {
  const members = await listed(c);
  if (members instanceof Refusal) return refusedPage(c, "members", members);
  const page = (
    <SettingsPage c={c} section="members" heading="Members" refusal={given.refusal}>
      <Table label="Members" head={["Name", "E-mail address", "Role", ""]}>
        {members.map(({ id, name, email, role }) => (
          <tr>
            <th scope="row">
              <bdi>{name ?? email}</bdi>
            </th>
            <td>{email}</td>
            <td>{role === "none" ? <Badge>Left</Badge> : role}</td>
            <td>{role !== "none" && <a href={`${pathOf(c)}/${id}/remove`}>Remove {name ?? email}</a>}</td>
          </tr>
        ))}
      </Table>
      <section class="sheet" aria-labelledby="set-heading">
        <h2 id="set-heading">Take somebody in, or change a role</h2>
        <form method="post" action={pathOf(c)}>
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
  const members = await listed(c);
  if (members instanceof Refusal) return refusedPage(c, "members", members);
  const address = textOf(fields, "email")?.trim().toLowerCase();
  const member = members.find(({ email }) => email.toLowerCase() === address);
  const rank = ranks.indexOf(fields.role);
  if (member && member.role !== confirmed && rank >= 0 && rank < ranks.indexOf(member.role))
    return askLess(c, member, fields);
  const saved = await operate(c, "set-member", Member, fields);
  return saved instanceof Refusal ? showMembers(c, { fields, refusal: saved }) : c.redirect(pathOf(c), 303);
}

const askLess = (c: C, { email, role }: Member, fields: Record<string, unknown>) =>
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

async function memberOf(c: C): Promise<Member | Refusal> {
  const [members, id] = [await listed(c), c.req.param("id") ?? ""];
  if (members instanceof Refusal) return members;
  return members.find((one) => one.id === id) ?? noSuch("member", id);
}

export async function askRemove(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, "members", member);
  return show(
    c,
    <ConfirmPage
      c={c}
      section="members"
      heading="Remove a member"
      button="Remove"
      back={pathOf(c)}
      isDestructive
    >
      <p>
        {member.email} is signed out and works here no more. Tokens that they minted go on reading; they write
        nothing any more.
      </p>
    </ConfirmPage>,
  );
}

export async function remove(c: C): Promise<Response> {
  const member = await memberOf(c);
  if (member instanceof Refusal) return refusedPage(c, "members", member);
  const removed = await operate(c, "set-member", Member, { email: member.email, role: "none" });
  return removed instanceof Refusal ? refusedPage(c, "members", removed) : c.redirect(pathOf(c), 303);
}
