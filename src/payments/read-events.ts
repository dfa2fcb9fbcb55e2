import { and, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { processorOutcomes } from "../contract/closed-sets.ts";
import { fromMinor } from "../contract/money.ts";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { build, rowsOf } from "../db/build.ts";
import { batch, mapped, type Query } from "../db/query.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices, payments } from "../work/invoices/tables.ts";
import type { ProcessorEventRecord } from "./record.ts";
import { processorEvents } from "./tables.ts";

const shown = {
  id: processorEvents.id,
  type: processorEvents.type,
  outcome: processorEvents.outcome,
  unmatched_reason: processorEvents.unmatched_reason,
  amount_minor: processorEvents.amount_minor,
  currency: processorEvents.currency,
  invoice_id: sql<string | null>`${invoices.id}`.as("invoice_id"),
  payment_id: sql<string | null>`${payments.id}`.as("payment_id"),
  deposit_id: sql<string | null>`${deposits.id}`.as("deposit_id"),
  occurred_at: processorEvents.occurred_at,
  received_at: processorEvents.received_at,
};

type Found = ReturnType<typeof found> extends Query<(infer R)[]> ? R : never;

const toRecord = ({ amount_minor, ...event }: Found): ProcessorEventRecord => ({
  ...event,
  amount: amount_minor === null || event.currency === null ? null : fromMinor(amount_minor, event.currency),
});

const own = ({ organization }: Context<Staff, never>) => eq(processorEvents.organization_id, organization.id);
const unassigned = isNull(processorEvents.organization_id);

/** An admin sees the events of their workspace; an operator also sees unassigned ones. */
export const isVisibleTo = (context: Context<Staff, never>): SQL | undefined =>
  context.actor.kind === "operator" ? or(own(context), unassigned) : own(context);

const found = (where: SQL | undefined, limit: number) =>
  rowsOf(
    build
      .select(shown)
      .from(processorEvents)
      .leftJoin(payments, eq(payments.processor_payment_id, processorEvents.processor_payment_id))
      .leftJoin(deposits, eq(deposits.processor_payment_id, processorEvents.processor_payment_id))
      .leftJoin(invoices, eq(invoices.id, aboutInvoice))
      .where(where)
      .orderBy(desc(processorEvents.received_at), desc(processorEvents.id))
      .limit(limit)
      .$dynamic(),
  );

/** The invoice that the payment was recorded for, was assigned to, or names. */
const aboutInvoice = sql`coalesce(${payments.invoice_id}, ${processorEvents.matched_invoice_id},
  ${processorEvents.named_invoice})`;

/** Returns an event's unique position in the sort order. */
const sortKeyOf = ({ received_at, id }: Found): string => `${received_at} ${id}`;

interface ProcessorEventFilter {
  outcome?: (typeof processorOutcomes)[number];
  limit: number;
}

/** Lists events, newest first. Runs two queries, so that each follows an index and stops at the limit. */
export async function listProcessorEvents(
  context: Context<Staff, "db">,
  { outcome, limit }: ProcessorEventFilter,
): Promise<ProcessorEventRecord[]> {
  const ofOutcome = outcome && eq(processorEvents.outcome, outcome);
  const lists = await batch(
    context.services.db,
    [own(context), ...(context.actor.kind === "operator" ? [unassigned] : [])].map((whose) =>
      found(and(whose, ofOutcome), limit),
    ),
  );
  return lists
    .flat()
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1))
    .slice(0, limit)
    .map(toRecord);
}

export const findProcessorEvent = (
  context: Context<Staff, never>,
  id: string,
): Query<ProcessorEventRecord | null> =>
  mapped(found(and(isVisibleTo(context), eq(processorEvents.id, id)), 1), ([row]) =>
    row ? toRecord(row) : null,
  );
