import * as z from "zod";
import { memberStatuses, roles } from "../../contract/closed-sets.ts";
import { DeliveryProblem } from "../../contract/delivery-problem.ts";
import { id, timestamp } from "../../contract/fields.ts";

/** A person in a workspace. A former member has the role `none` and stays because other rows refer to them. */
export const Member = z.object({
  id,
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(roles),
  created_at: timestamp,
  updated_at: timestamp,
});

export type Member = z.output<typeof Member>;

/** A person in the list of members, which includes invited people. */
export const ListedMember = Member.extend({
  role: z.enum(roles).meta({ description: "For an invited person, the role that they get when they accept" }),
  status: z
    .enum(memberStatuses)
    .meta({ description: "`invited` people have no role, and get no other e-mails, until they accept" }),
  delivery_problem: DeliveryProblem.nullable().meta({
    description: "Why the newest invitation or notification failed; null if no failure is known",
  }),
});

export type ListedMember = z.output<typeof ListedMember>;
