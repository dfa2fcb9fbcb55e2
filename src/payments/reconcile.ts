import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { insertSelect, prepared, statement } from "../db/build.ts";
import { randomId } from "../db/columns.ts";
import type { Query } from "../db/query.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices, paymentReversals, payments } from "../work/invoices/tables.ts";
import type { ProcessorEvent } from "./processor-event.ts";
import { processorEvents } from "./tables.ts";

/**
 * Updates an invoice or deposit to match all known events of one payment, after another event of the given kind. Each
 * statement only adds what is missing, so they can run in any order and repeatedly. Written in SQL because they insert
 * from selects.
 */
export const reconcile = (kind: ProcessorEvent["kind"], processorPaymentId: string): Query<void>[] =>
  [...stepsAfter[kind], recordOutcomes].map((query) => query({ processorPaymentId }));

const payment = sql.placeholder("processorPaymentId");
const event = alias(processorEvents, "event");
const step = (make: () => SQL) => prepared<{ processorPaymentId: string }, void>(() => statement(make()));

const isPaid = sql`EXISTS (SELECT 1 FROM payments WHERE processor_payment_id = ${payment})`;
const isDeposit = sql`EXISTS (SELECT 1 FROM deposits WHERE processor_payment_id = ${payment})`;

/**
 * Records a payment once, however many events report it. An admin's choice of invoice takes precedence over the
 * event's.
 */
const recordPayment = step(() =>
  insertSelect(
    payments,
    {
      id: randomId,
      organization_id: sql`${invoices.organization_id}`,
      invoice_id: sql`${invoices.id}`,
      amount_minor: sql`coalesce(${event.matched_amount_minor}, ${event.amount_minor})`,
      collected_via: "stripe",
      processor_payment_id: sql`${payment}`,
    },
    sql`FROM ${processorEvents} AS event
      JOIN ${invoices} ON ${invoices.id} = coalesce(${event.matched_invoice_id}, ${event.named_invoice})
      WHERE ${event.processor_payment_id} = ${payment} AND ${event.kind} = 'payment'
        AND (${event.matched_amount_minor} IS NOT NULL OR ${event.currency} = ${invoices.currency})
        AND ${invoices.status} <> 'draft' AND NOT ${isPaid} AND NOT ${isDeposit}
      ORDER BY ${event.matched_invoice_id} IS NULL LIMIT 1`,
  ),
);

/** A deposit clears together with everything that depends on it. */
const clearDeposit = step(
  () => sql`UPDATE ${deposits} SET status = 'cleared', collected_via = 'stripe', processor_payment_id = ${payment}
    WHERE ${deposits.status} = 'pending' AND NOT ${isPaid} AND NOT ${isDeposit} AND ${deposits.id} = (
      SELECT ${event.named_deposit} FROM ${processorEvents} AS event
      WHERE ${event.processor_payment_id} = ${payment} AND ${event.kind} = 'payment'
        AND ${event.named_invoice} IS NULL AND ${event.currency} = ${deposits.currency}
        AND ${event.amount_minor} >= ${deposits.amount_minor} LIMIT 1)`,
);

/**
 * The payment to refund: the one that the processor reported, or one that an admin chose because it predates the
 * connection to the processor. A payment can be refunded only in the currency in which it was paid.
 */
const target = sql`(
  SELECT organization_id, invoice_id, is_paid, coalesce(
    (SELECT currency FROM processor_events
      WHERE processor_payment_id = ${payment} AND matched_amount_minor IS NOT NULL LIMIT 1),
    (SELECT currency FROM invoices WHERE id = invoice_id)
  ) AS currency
  FROM (
    SELECT organization_id, invoice_id, TRUE AS is_paid FROM payments WHERE processor_payment_id = ${payment}
    UNION ALL
    SELECT event.organization_id, event.matched_invoice_id, FALSE FROM processor_events AS event
    WHERE event.processor_payment_id = ${payment} AND event.kind <> 'payment'
      AND event.matched_invoice_id IS NOT NULL
    LIMIT 1
  )
) AS target`;

/**
 * Converts to the invoice's currency at the rate of the payment that an admin assigned, rounding half up. Uses long
 * division, nine bits at a time, because the product of two amounts may exceed an integer.
 */
const worth = (amount: SQL) => {
  const dividend = sql`(remainder * 512 + ((${amount} >> (bits - 9)) & 511) * worth)`;
  return sql`coalesce((
    WITH RECURSIVE division (bits, quotient, remainder, worth, came) AS (
      SELECT 54, 0, 0, matched_amount_minor, amount_minor FROM (
        SELECT matched_amount_minor, amount_minor FROM processor_events
        WHERE processor_payment_id = ${payment} AND matched_amount_minor IS NOT NULL LIMIT 1)
      UNION ALL
      SELECT bits - 9, quotient * 512 + ${dividend} / came, ${dividend} % came, worth, came
      FROM division WHERE bits > 0
    )
    SELECT quotient + (remainder * 2 >= came) FROM division WHERE bits = 0
  ), ${amount})`;
};

const reversal = (kind: SQL, amount: SQL, id: SQL, rest: SQL) =>
  insertSelect(
    paymentReversals,
    {
      organization_id: sql`target.organization_id`,
      invoice_id: sql`target.invoice_id`,
      kind,
      amount_minor: amount,
      processor_payment_id: sql`${payment}`,
      processor_reversal_id: id,
    },
    sql`FROM ${target}, ${rest}`,
  );

const refunded = worth(sql`event.amount_minor`);
const recorded = sql`(SELECT coalesce(sum(amount_minor), 0) FROM payment_reversals
  WHERE processor_payment_id = ${payment} AND kind = 'refund')`;

/** Stripe reports the total refunded from a charge. Any amount that is not recorded yet is another refund. */
const recordRefund = step(() =>
  reversal(
    sql`'refund'`,
    sql`${refunded} - ${recorded}`,
    sql`event.processor_reversal_id || ':' || ${refunded}`,
    sql`processor_events AS event
    WHERE event.id = (
      SELECT id FROM processor_events WHERE processor_payment_id = ${payment} AND kind = 'refund'
        AND currency = target.currency
      ORDER BY amount_minor DESC LIMIT 1
    ) AND ${refunded} > ${recorded}`,
  ),
);

/** A dispute withdraws its money at once, but we may learn of it only when it ends. */
const recordDisputes = step(() =>
  reversal(
    sql`'dispute'`,
    worth(sql`event.amount_minor`),
    sql`event.processor_reversal_id`,
    sql`processor_events AS event
    WHERE event.processor_payment_id = ${payment} AND event.kind IN ('dispute', 'dispute_won')
      AND event.currency = target.currency AND event.amount_minor > 0 AND NOT EXISTS (
        SELECT 1 FROM payment_reversals WHERE processor_reversal_id = event.processor_reversal_id)
    GROUP BY event.processor_reversal_id`,
  ),
);

/** A won dispute returns its money, as a separate row with the negated amount. */
const recordDisputesWon = step(() =>
  reversal(
    sql`'dispute_won'`,
    sql`-taken.amount_minor`,
    sql`taken.processor_reversal_id || ':won'`,
    sql`payment_reversals AS taken
    WHERE taken.processor_payment_id = ${payment}
      AND EXISTS (SELECT 1 FROM processor_events WHERE processor_payment_id = ${payment}
        AND kind = 'dispute_won' AND processor_reversal_id = taken.processor_reversal_id)
      AND NOT EXISTS (
        SELECT 1 FROM payment_reversals WHERE processor_reversal_id = taken.processor_reversal_id || ':won')`,
  ),
);

/** Records the outcome of each of the payment's events, or why it had no effect. */
const recordOutcomes = step(
  () => sql`UPDATE ${processorEvents} SET (organization_id, outcome, unmatched_reason) = (
      SELECT coalesce(event.organization_id, target.organization_id, deposit.organization_id,
          invoice.organization_id, asked.organization_id),
        CASE WHEN event.kind <> 'payment' THEN iif(event.currency = target.currency, 'reversal', 'unmatched')
          WHEN target.is_paid THEN 'payment'
          WHEN deposit.id IS NOT NULL THEN 'deposit'
          ELSE 'unmatched' END,
        CASE WHEN iif(event.kind = 'payment',
            target.is_paid OR deposit.id IS NOT NULL, event.currency = target.currency) THEN NULL
          WHEN event.amount_minor IS NULL THEN event.unmatched_reason
          WHEN deposit.id IS NOT NULL THEN 'deposit_taken_back'
          WHEN event.kind <> 'payment' THEN iif(target.invoice_id IS NULL, 'payment_not_seen', 'currency_differs')
          WHEN coalesce(event.named_invoice, event.named_deposit) IS NULL THEN 'names_nothing'
          WHEN coalesce(invoice.id, asked.id) IS NULL THEN 'not_found'
          WHEN invoice.status = 'draft' THEN 'invoice_is_draft'
          WHEN event.currency <> coalesce(invoice.currency, asked.currency) THEN 'currency_differs'
          WHEN asked.status = 'cleared' THEN 'deposit_cleared_already'
          ELSE 'deposit_amount_differs' END
      FROM processor_events AS event
      LEFT JOIN ${target} ON TRUE
      LEFT JOIN deposits AS deposit ON deposit.processor_payment_id = ${payment}
      LEFT JOIN invoices AS invoice ON invoice.id = event.named_invoice
      LEFT JOIN deposits AS asked ON asked.id = event.named_deposit
      WHERE event.id = processor_events.id)
    WHERE ${processorEvents.processor_payment_id} = ${payment}`,
);

/** The steps after each kind of event. A payment also applies refunds and disputes that arrived before it. */
const stepsAfter = {
  payment: [recordPayment, clearDeposit, recordRefund, recordDisputes, recordDisputesWon],
  refund: [recordRefund],
  dispute: [recordDisputes],
  dispute_won: [recordDisputes, recordDisputesWon],
  other: [],
} satisfies Record<ProcessorEvent["kind"], unknown>;
