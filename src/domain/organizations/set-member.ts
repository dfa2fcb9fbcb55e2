import { type AdminRefusal, notAllowed } from "../../contract/admin-refusals.ts";
import type { Member } from "../../contract/workspace/organization.ts";
import { batch, required, run } from "../../db/query.ts";
import { type AdminContext, audited } from "../audited-change.ts";
import { findMember, putMember } from "./members.ts";

/** Takes a person in or changes their role. An admin makes no owner and changes none: that would be a way to the top. */
export async function setMember(
  context: AdminContext,
  input: Pick<Member, "email" | "role"> & { name?: string },
): Promise<Member | AdminRefusal> {
  const { db, organization, actor } = context;
  if (actor.role !== "owner") {
    const before = await run(db, findMember(organization.id, input.email));
    if (input.role === "owner" || before?.role === "owner")
      return notAllowed("Only owners can change owners");
  }
  const [, , member] = await batch(db, [
    putMember(organization.id, input),
    audited(context, "member.set", input.email, { role: input.role }),
    required(findMember(organization.id, input.email)),
  ]);
  return member;
}
