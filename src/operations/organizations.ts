import * as z from "zod";
import { features, roles } from "../contract/closed-sets.ts";
import {
  currencyInput,
  emailInput,
  idInput,
  line,
  optionalLine,
  timestampInput,
} from "../contract/fields.ts";
import { logoInput } from "../contract/image-input.ts";
import { limits } from "../contract/limits.ts";
import { listedPage } from "../contract/listed-page.ts";
import { reviewLimits } from "../contract/review-limits.ts";
import { searchAuditLog } from "../core/audit-log/audit-log.ts";
import { AuditEntry } from "../core/audit-log/record.ts";
import { run } from "../db/query.ts";
import { findBrand } from "../workspace/brands/read-brand.ts";
import { Brand } from "../workspace/brands/record.ts";
import { setBrand } from "../workspace/brands/set-brand.ts";
import { findPerson, listPeople } from "../workspace/members/read-people.ts";
import { ListedMember } from "../workspace/members/record.ts";
import { setMember } from "../workspace/members/set-member.ts";
import {
  setFeature,
  setLimit,
  setOnSendStatus,
  setPlan,
  setReminders,
  soldOrganization,
} from "../workspace/organizations/change-organization.ts";
import { createOrganization } from "../workspace/organizations/create-organization.ts";
import { findOrganization, listOrganizations } from "../workspace/organizations/organization.ts";
import { Organization, SoldOrganization } from "../workspace/organizations/record.ts";
import { type AdminOperations, bySubject, platformOperation, workspaceOperation } from "./operation.ts";

/** Lowercase letters, digits and hyphens. A slug never looks like an id, so --organization accepts either. */
export const slug = z.string().regex(/^(?![0-9a-f]{8}-[0-9a-f]{4}-)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: "slug must have 1 to 63 lowercase letters, digits and dashes",
});

/** The cell to run in. The Admin entrypoint handles this field; operations never get it. */
export const cellInput = z
  .string()
  .optional()
  .meta({ description: "The cell to use, if there are several. Default: the cell with the most free space" });

const auditEntries = { min: 1, max: 1000, default: 50 } as const;

const minute = limits.ownRequestsPerMinute;

const { reminderDays } = reviewLimits;

const BrandInput = z
  .strictObject({
    accent: z
      .string()
      .toLowerCase()
      .regex(/^(?:#[0-9a-f]{6}|none)$/, { error: "accent must be a value like #c2410c, or none" })
      .transform((accent) => (accent === "none" ? null : accent))
      .optional(),
    logo_base64: logoInput.optional(),
    link_previews: z.boolean().optional().meta({
      description: "Whether the work is shown in link previews and in e-mails",
    }),
  })
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    error: "accent, logo_base64 or link_previews is required",
  });

export const organizationOperations: AdminOperations = {
  "create-organization": platformOperation({
    summary: "Create a workspace with its owner",
    input: z.strictObject({
      name: line(1, limits.nameCharacters),
      slug,
      plan: z.string(),
      cell: cellInput,
      owner_email: emailInput,
      owner_name: optionalLine(limits.nameCharacters),
      currency: currencyInput.default("USD"),
    }),
    answer: SoldOrganization,
    run: createOrganization,
    again: ({ services }, { subjectId }) => soldOrganization(services.db, subjectId),
  }),

  "list-organizations": platformOperation({
    summary: "List the workspaces",
    reads: true,
    input: z.strictObject({}),
    answer: z.array(Organization),
    run: ({ services }) => run(services.db, listOrganizations()),
  }),

  "set-plan": workspaceOperation({
    summary: "Change the workspace's plan",
    action: "change the plan",
    allowed: "operator",
    input: z.strictObject({ plan: z.string() }),
    answer: SoldOrganization,
    run: (context, { plan }) => setPlan(context, plan),
    again: ({ services }, { subjectId }) => soldOrganization(services.db, subjectId),
  }),

  "set-feature": workspaceOperation({
    summary: "Turn a workspace feature on or off",
    action: "change features",
    allowed: "operator",
    input: z.strictObject({ feature: z.enum(features), enabled: z.boolean() }),
    answer: Organization,
    run: (context, { feature, enabled }) => setFeature(context, feature, enabled),
    again: bySubject(findOrganization),
  }),

  "set-limit": workspaceOperation({
    summary:
      "Set a custom limit of API requests per minute for the workspace; `none` restores its plan's limit",
    action: "change limits",
    allowed: "operator",
    input: z.strictObject({
      requests_per_minute: z.union([z.int().min(minute.min).max(minute.max), z.literal("none")], {
        error: `requests_per_minute must be a whole number from ${minute.min} to ${minute.max}, or none`,
      }),
    }),
    answer: Organization,
    run: (context, { requests_per_minute: limit }) => setLimit(context, limit === "none" ? null : limit),
    again: bySubject(findOrganization),
  }),

  "set-brand": workspaceOperation({
    summary:
      "Set the color and logo that clients see, and whether link previews and e-mails show the work; `none` " +
      "removes the color or logo, and omitted fields keep their values",
    action: "change the brand",
    input: BrandInput,
    answer: Brand,
    run: (context, { accent, logo_base64, link_previews }) =>
      setBrand(context, { accent, logo: logo_base64, linkPreviews: link_previews }),
    again: ({ services, organization }) => run(services.db, findBrand(organization.id)),
  }),

  "set-on-send-status": workspaceOperation({
    summary: "Set the status label that deliverables get when they are sent; omit the label to set none",
    action: "change statuses",
    input: z.strictObject({ label: line(0, 100).optional() }),
    answer: Organization,
    run: (context, { label }) => setOnSendStatus(context, label || null),
    again: bySubject(findOrganization),
  }),

  "set-reminders": workspaceOperation({
    summary: "Set after how many days clients who have not responded are reminded; 0 for never",
    action: "change reminders",
    input: z.strictObject({ days: z.int().min(reminderDays.min).max(reminderDays.max) }),
    answer: Organization.pick({ reminder_days: true }),
    run: (context, { days }) => setReminders(context, days),
    again: bySubject(findOrganization),
  }),

  "set-member": workspaceOperation({
    summary:
      "Invite a person, change their role, or remove them with the role `none`; people added by the operator " +
      "join immediately",
    action: "change members",
    input: z.strictObject({
      email: emailInput,
      role: z.enum(roles),
      name: optionalLine(limits.nameCharacters),
    }),
    answer: ListedMember,
    run: setMember,
    again: bySubject(findPerson),
  }),

  "list-members": workspaceOperation({
    summary: "List members and invited people, newest first; `cursor` is the last id of the previous page",
    reads: true,
    action: "list members",
    input: z.strictObject({ id: idInput.optional(), email: emailInput.optional(), ...listedPage }),
    answer: z.array(ListedMember),
    run: ({ services, organization }, filter) => listPeople(services.db, organization.id, filter),
  }),

  "audit-log": workspaceOperation({
    summary: "Show who did what, newest first; filter by token, person (e-mail address) or action",
    reads: true,
    action: "read the audit log",
    input: z.strictObject({
      limit: z.int().min(auditEntries.min).max(auditEntries.max).default(auditEntries.default),
      token: idInput.optional(),
      person: emailInput.optional(),
      action: z.string().max(100).optional(),
      since: timestampInput.optional(),
      until: timestampInput.optional(),
    }),
    answer: z.array(AuditEntry),
    run: ({ services, organization }, input) => searchAuditLog(services.db, organization.id, input),
  }),
};
