import { sql } from "drizzle-orm";
import * as z from "zod";
import { clientFeedbackKinds, deliveryProblemKinds, reviewStates } from "../../contract/closed-sets.ts";
import { id, openEnum, timestamp } from "../../contract/fields.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { eventsOf, field, on } from "../../core/events/event.ts";
import { columnsOf, newAndOld } from "../../db/trigger.ts";
import {
  clientAndOptionalProject,
  joinAnyProject,
  joinClient,
  notSample,
  safeText,
} from "../../work/event-fields.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { Anchor } from "../feedback/record.ts";
import { feedback } from "../feedback/tables.ts";
import { reviewNotices } from "../notices/tables.ts";
import { matchAgain } from "../returned-mails/match-again.ts";
import { signOffs } from "../sign-offs/tables.ts";
import { nextReminder } from "./next-reminder.ts";
import { deliverableSends, deliverables } from "./tables.ts";

const deliverable = columnsOf(deliverables);
const signOff = columnsOf(signOffs);
const { NEW: send } = newAndOld(deliverableSends);
const { NEW: left } = newAndOld(feedback);

const commonFields = {
  deliverable_id: field(id, deliverable.id, "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11"),
  title: field(z.string(), safeText(deliverable.title), "Homepage"),
  version_number: field(z.int(), deliverable.version_number, 2),
  review_state: field(openEnum(reviewStates), deliverable.review_state, "in_review"),
  ...clientAndOptionalProject,
};

const subject = {
  table: deliverables,
  joins: sql`${joinClient(deliverable)} ${joinAnyProject(deliverable)}`,
  where: sql`${deliverable.is_sample} = 0 AND ${notSample}`,
};

const requestsChanges = sql`UPDATE ${deliverables} SET
  change_requested_version_number = max(coalesce(change_requested_version_number, 0), ${left.version_number}),
  change_request_count = change_request_count + (${left.version_number} = version_number)
  WHERE id = ${left.deliverable_id} AND ${left.kind} = 'change_request'`;

/** Sending a version again resolves the change requests made for it. */
const unanswered = sql`EXISTS (
  SELECT 1 FROM ${feedback}
  WHERE deliverable_id = ${send.deliverable_id} AND version_number = ${send.version_number}
    AND kind = 'change_request' AND created_at > ${send.sent_at}
)`;

/** The record of a send can be delayed, so the client's response may arrive first. */
const isAnswered = sql`EXISTS (
  SELECT 1 FROM ${feedback}
  WHERE deliverable_id = ${send.deliverable_id} AND created_at > ${send.sent_at} AND kind <> 'reply'
)`;

/** The newest send determines the pending reminder. */
const reminderOfNewest = sql`iif(${send.sent_at} < coalesce(sent_at, ''), reminder_due_at,
  iif(${send.remind_after_days} > 0 AND NOT ${isAnswered}, ${nextReminder(send)}, NULL))`;

/** A send is recorded even after the sign-off, but no longer changes the deliverable. */
const applySend = sql`UPDATE ${deliverables} SET
  sent_at = max(coalesce(sent_at, ''), ${send.sent_at}),
  sent_version_number = max(coalesce(sent_version_number, 0), ${send.version_number}),
  change_requested_version_number = iif(
    ${unanswered}, change_requested_version_number, nullif(change_requested_version_number, ${send.version_number})
  ),
  status_label = coalesce(
    (SELECT on_send_status_label FROM ${organizations} WHERE id = ${send.organization_id}), status_label
  ),
  reminder_due_at = ${reminderOfNewest},
  reminder_attempts = 0,
  delivery_problem = NULL
  WHERE id = ${send.deliverable_id} AND current_state = 'open'`;

/** Does not change a reminder that was canceled or replaced while its e-mail was being sent. */
const applyReminder = sql`UPDATE ${deliverables} SET reminder_due_at = ${nextReminder(send)}, reminder_attempts = 0
  WHERE id = ${send.deliverable_id} AND current_state = 'open' AND reminder_due_at <= ${send.sent_at}`;

/** False if a later send or the sign-off has made this e-mail obsolete. */
const isNewestMail = sql`EXISTS (SELECT 1 FROM ${deliverables}
  WHERE id = ${send.deliverable_id} AND current_state = 'open' AND coalesce(sent_at, '') <= ${send.sent_at})`;

/** One notice per send, however many of its e-mails bounce. */
const insertOwnerNotice = sql`INSERT INTO ${reviewNotices} (organization_id, deliverable_id, recipient)
  SELECT organization_id, id, 'owner' FROM ${deliverables}
  WHERE id = ${send.deliverable_id} AND delivery_problem IS NULL AND NOT is_sample`;

const applyProblem = sql`UPDATE ${deliverables} SET delivery_problem = ${send.delivery_problem}
  WHERE id = ${send.deliverable_id}`;

export const deliverableEvents = eventsOf(subject, {
  "feedback.created": {
    category: "delivery",
    firesWhen: "a client submits feedback on a deliverable",
    firedBy: on(feedback, "INSERT", ({ NEW }) => ({
      when: sql`${NEW.kind} <> 'reply'`,
      about: NEW.deliverable_id,
      first: [requestsChanges],
    })),
    data: {
      ...commonFields,
      version_number: field(z.int(), left.version_number, 2),
      feedback_id: field(id, left.id, "5e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a16"),
      kind: field(z.enum(clientFeedbackKinds), left.kind, "change_request"),
      author_name: field(z.string(), safeText(left.author_name), "Ada"),
      anchor: field(
        Anchor.nullable(),
        sql`json(iif(${left.anchor_x} IS NULL, NULL, json_object('x', ${left.anchor_x}, 'y', ${left.anchor_y})))`,
        { x: 0.42, y: 0.18 },
      ),
    },
    example: { review_state: "changes_requested" },
  },
  "signoff.recorded": {
    category: "delivery",
    firesWhen: "a deliverable sign-off completes",
    firedBy: on(deliverables, ["current_state"], ({ NEW, OLD }) => ({
      when: sql`${OLD.current_state} = 'open' AND ${NEW.current_state} = 'signed_off'`,
    })),
    data: {
      ...commonFields,
      signer_name: field(
        z.string().nullable(),
        sql`(SELECT ${safeText(signOff.signer_name)} FROM ${signOffs} WHERE deliverable_id = ${deliverable.id})`,
        "Ada",
      ),
    },
    example: { review_state: "approved" },
  },
  "deliverable.sent": {
    category: "delivery",
    firesWhen: "a deliverable is sent for review",
    firedBy: on(deliverableSends, "INSERT", ({ NEW }) => ({
      when: sql`${NEW.reminder} IS NULL`,
      about: NEW.deliverable_id,
      first: [applySend],
      last: [matchAgain(sql`message_id = ${NEW.message_id}`)],
    })),
    data: {
      ...commonFields,
      version_number: field(z.int(), send.version_number, 2),
      sent_at: field(timestamp, send.sent_at, "2026-01-31T09:30:00.000Z"),
    },
  },
  "deliverable.reminded": {
    category: "delivery",
    firesWhen: "a client is reminded of a deliverable that they have not responded to",
    firedBy: on(deliverableSends, "INSERT", ({ NEW }) => ({
      when: sql`${NEW.reminder} IS NOT NULL`,
      about: NEW.deliverable_id,
      first: [applyReminder],
      last: [matchAgain(sql`message_id = ${NEW.message_id}`)],
    })),
    data: {
      ...commonFields,
      version_number: field(z.int(), send.version_number, 2),
      reminder: field(z.int().min(1).max(reviewLimits.remindersOfSend), send.reminder, 1),
      next_reminder_at: field(timestamp.nullable(), deliverable.reminder_due_at, "2026-02-14T09:30:00.000Z"),
    },
  },
  "deliverable.send_failed": {
    category: "delivery",
    firesWhen: "a review or reminder e-mail bounces or is marked as spam",
    firedBy: on(deliverableSends, ["delivery_problem"], ({ NEW, OLD }) => ({
      when: sql`${OLD.delivery_problem} IS NULL AND ${NEW.delivery_problem} IS NOT NULL AND ${isNewestMail}`,
      about: NEW.deliverable_id,
      first: [insertOwnerNotice, applyProblem],
    })),
    data: {
      ...commonFields,
      version_number: field(z.int(), send.version_number, 2),
      kind: field(openEnum(deliveryProblemKinds), sql`${send.delivery_problem} ->> 'kind'`, "bounced"),
      reason: field(
        z
          .string()
          .nullable()
          .meta({ description: "The reason that the mail service or the recipient's server gave" }),
        safeText(sql`${send.delivery_problem} ->> 'reason'`),
        "550 5.1.1 User unknown",
      ),
    },
  },
});
