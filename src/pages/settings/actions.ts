import { isRecord } from "../../contract/is-record.ts";
import type { AuditEntry } from "../../core/audit-log/record.ts";
import { eventLabel } from "./delivery-table.tsx";
import { permissionsByRecord, recordsOf } from "./permissions.ts";
import { eventText } from "./webhooks.tsx";

/** What an action did, as a phrase that follows the actor's name. `%` stands for the subject's name. */
const sentences: Readonly<Record<string, string>> = {
  "brand.set": "changed the brand",
  "change_decision.sent": "sent the change decision %",
  "change_order.created": "drafted the change order %",
  "change_order.declined": "declined the change order %",
  "change_order.sent": "sent the change order %",
  "change_order.signed": "signed the change order %",
  "client.created": "added the client %",
  "client.erased": "erased the client %",
  "client.updated": "changed the client %",
  "deliverable.created": "added the deliverable %",
  "deliverable.feedback_recorded": "recorded feedback on %",
  "deliverable.replied": "replied in the review of %",
  "deliverable.rolled_back": "could not store the image of %",
  "deliverable.sent": "sent % for review",
  "deliverable.signed_off": "recorded the sign-off of %",
  "deliverable.version_added": "added a version of %",
  "deposit.cleared": "cleared the deposit %",
  "deposit.created": "requested the deposit %",
  "invoice.created": "drafted the invoice %",
  "invoice.issued": "issued the invoice %",
  "invoice.voided": "voided the invoice %",
  "member.invited": "invited %",
  "member.joined": "joined the workspace",
  "member.set": "changed the role of %",
  "member.uninvited": "canceled the invitation of %",
  "milestone.status_set": "moved the milestone %",
  "organization.created": "created the workspace",
  "organization.exported": "exported the workspace",
  "organization.feature_set": "turned a feature on or off",
  "organization.limit_set": "changed the workspace's rate limit",
  "organization.on_send_status_set": "changed the status that sending sets",
  "organization.plan_set": "changed the workspace's plan",
  "organization.reminders_set": "changed the reminder settings",
  "origin.allowed": "allowed links to %",
  "origin.removed": "disallowed links to %",
  "payment.recorded": "recorded a payment of %",
  "processor_event.matched": "matched a payment to %",
  "project.created": "added the project %",
  "project.revision_override_recorded": "added revision rounds to %",
  "project.updated": "changed the project %",
  "review_code.confirmed": "confirmed a code for %",
  "review_code.mailed": "requested a code for %",
  "scope_request.ingested": "added a client message",
  "time_entry.created": "logged time: %",
  "token.addresses_set": "changed the allowed addresses of %",
  "token.created": "created the token %",
  "token.rolled": "rolled the token %",
  "token.revoked": "revoked the token %",
  "webhook_deliveries.replayed": "replayed deliveries of %",
  "webhook_delivery.replayed": "replayed a delivery: %",
  "webhook_endpoint.backfilled": "delivered earlier events to %",
  "webhook_endpoint.created": "added the endpoint %",
  "webhook_endpoint.deleted": "deleted the endpoint %",
  "webhook_endpoint.disabled": "disabled the endpoint %",
  "webhook_endpoint.enabled": "enabled the endpoint %",
  "webhook_endpoint.secret_rotated": "rotated the secret of %",
  "webhook_endpoint.tested": "sent a test to %",
  "webhook_endpoint.updated": "changed the endpoint %",
};

const nameIn = ({ details, subject_id }: AuditEntry): string => {
  const named = [details.name, details.title, details.url, details.number].find(
    (value) => typeof value === "string",
  );
  return typeof named === "string" ? named : (subject_id ?? "");
};

/** The phrase that follows the actor's name, split at the subject's name. */
export interface Phrase {
  before: string;
  subject: string;
  after: string;
}

/** Describes an entry's action. An unknown action is shown unchanged. */
export const phraseOf = (entry: AuditEntry, name = nameIn(entry)): Phrase => {
  const [before = "", after] = (sentences[entry.action] ?? `${entry.action} %`).split("%");
  return { before, subject: after === undefined ? "" : name, after: after ?? "" };
};

export const phraseText = ({ before, subject, after }: Phrase): string =>
  `${before}${subject}${after}`.trim();

/** Every known action with its display name. */
export const actionNames = Object.entries(sentences).map(([action, sentence]): [string, string] => {
  const words = sentence.replace(/ ?%/, "").replace(/:$/, "");
  return [action, words.charAt(0).toUpperCase() + words.slice(1)];
});

export interface Edit {
  /** The display name: `spent_date` becomes `spent date`. */
  field: string;
  before?: string;
  value: string;
}

const text = (value: unknown): string => {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? Object.values(value).map(text).join(", ") : String(value);
};

const isText = (value: unknown): value is string => typeof value === "string";

/** Fields whose values have display names. */
const values: Readonly<Record<string, (value: unknown) => string>> = {
  scopes: (value) => permissionsText(Array.isArray(value) ? value.filter(isText) : []),
  events: (value) =>
    value === null ? "all" : Array.isArray(value) ? value.map(eventText).join(", ") : text(value),
  prefix: (value) => `${text(value)}…`,
  event: (value) => eventLabel(text(value)),
  status: (value) => (value === "dead" ? "gave up" : text(value)),
};

/** Fields with another display name. */
const names: Readonly<Record<string, string>> = {
  accent: "colour",
  scopes: "permissions",
  prefix: "token",
  matched: "deliveries",
  version_number: "version",
};

const words = (field: string): string => names[field] ?? field.replaceAll("_", " ");
const valueText = (field: string, value: unknown): string => (values[field] ?? text)(value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Describes what a token may read and write. */
function permissionsText(scopes: readonly string[]): string {
  const parts = (["read", "write"] as const).flatMap((kind) => {
    const records = recordsOf(scopes, [kind]).toLowerCase();
    if (kind === "read" && readScopes.every((scope) => scopes.includes(scope))) return ["read everything"];
    return records === "" ? [] : [`${kind} ${records}`];
  });
  return parts.join("; ");
}

const readScopes = permissionsByRecord.flatMap(({ read }) => read.map(({ scope }) => scope));

/** Changes that the phrase already describes: a new status, or the fields that a replay resets. */
const alreadyDescribed: Readonly<Record<string, readonly string[]>> = {
  "change_order.declined": ["status"],
  "change_order.sent": ["status"],
  "change_order.signed": ["status"],
  "deposit.cleared": ["status"],
  "invoice.issued": ["status"],
  "invoice.voided": ["status"],
  "token.revoked": ["revoked_at"],
  "webhook_delivery.replayed": ["status", "attempts", "settled_at", "next_attempt_at"],
  "webhook_endpoint.disabled": ["enabled"],
  "webhook_endpoint.enabled": ["enabled"],
};

/** Returns an entry's other details: each changed field with its old value, or else every given field. */
export function editsOf({ action, details }: AuditEntry): Edit[] {
  const { before, after } = details;
  if (isRecord(before) && isRecord(after))
    return Object.entries(after)
      .filter(([field, value]) => !alreadyDescribed[action]?.includes(field) && !isSame(before[field], value))
      .map(([field, value]) => ({
        field: words(field),
        before: valueText(field, before[field]),
        value: valueText(field, value),
      }));
  return Object.entries(details)
    .filter(([field]) => !/^(?:name|title|url|number)$|_id$/.test(field))
    .map(([field, value]) => ({ field: words(field), value: valueText(field, value) }));
}
