import fc from "fast-check";
import {
  chargeRefunded,
  disputed,
  intentSucceeded,
  type StripeEvent,
  sessionCompleted,
  stripeIdOf,
} from "../support/stripe.ts";

/** A simple model that computes an invoice's balance from its events. */

interface Intent {
  amount: number;
  /** The charge's total refunded amount after each refund. */
  refunds: number[];
  dispute: "none" | "open" | "won" | "lost";
  /** The dispute began as an inquiry, which did not take any money. */
  inquiry: boolean;
  /** Paid on Stripe's page, where a session also reports the payment. */
  session: boolean;
}

interface EventDelivery {
  intent: number;
  /** `seen` is a payment event without a stated purpose, or an inquiry event. */
  tells: "seen" | "paid" | "refunded" | "disputed" | "won";
  refunded: number;
  event: StripeEvent;
}

export interface History {
  invoiceId: string;
  total: number;
  isOverdue: boolean;
  intents: Intent[];
  /** The actions in order, including an admin's attempt to void the invoice. */
  actions: (EventDelivery | "void")[];
}

const intent: fc.Arbitrary<Intent> = fc
  .record({
    amount: fc.integer({ min: 1, max: 150 }),
    shares: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    dispute: fc.constantFrom("none", "none", "open", "won", "lost"),
    inquiry: fc.boolean(),
    session: fc.boolean(),
  })
  .map(({ shares, ...rest }) => ({
    ...rest,
    dispute: rest.dispute as Intent["dispute"],
    refunds: [...new Set(shares.sort().map((share) => Math.ceil((rest.amount * share) / 4)))],
  }));

function deliveriesOf(invoiceId: string, of: Intent, index: number) {
  const { amount, refunds, dispute, inquiry, session } = of;
  const paid = { intent: stripeIdOf("pi"), amount, metadata: { invoice_id: invoiceId } };
  const told = (tells: EventDelivery["tells"], event: StripeEvent, refunded = 0): EventDelivery => ({
    intent: index,
    tells,
    refunded,
    event,
  });
  const opened = inquiry
    ? told("seen", disputed(paid, "created", "warning_needs_response"))
    : told("disputed", disputed(paid, "created", "needs_response"));
  return [
    session ? told("seen", intentSucceeded({ ...paid, metadata: {} })) : told("paid", intentSucceeded(paid)),
    ...(session ? [told("paid", sessionCompleted(paid))] : []),
    ...refunds.map((refunded) => told("refunded", chargeRefunded(paid, refunded), refunded)),
    ...(dispute === "none" ? [] : [opened]),
    ...(dispute === "none" ? [] : [told("disputed", disputed(paid, "funds_withdrawn", "needs_response"))]),
    ...(dispute === "won" ? [told("won", disputed(paid, "closed", "won"))] : []),
    ...(dispute === "lost" ? [told("disputed", disputed(paid, "closed", "lost"))] : []),
  ];
}

/**
 * A random selection of Stripe events in any order, some of them repeated, for an invoice of 100 that may be overdue.
 */
export const history: fc.Arbitrary<History> = fc
  .record({
    invoiceId: fc.uuid({ version: 4 }),
    isOverdue: fc.boolean(),
    intents: fc.array(intent, { minLength: 1, maxLength: 2 }),
  })
  .chain(({ invoiceId, isOverdue, intents }) => {
    const deliveries = intents.flatMap((each, index) => deliveriesOf(invoiceId, each, index));
    const actions = [...deliveries, ...deliveries, "void" as const];
    return fc.record({
      invoiceId: fc.constant(invoiceId),
      total: fc.constant(100),
      isOverdue: fc.constant(isOverdue),
      intents: fc.constant(intents),
      actions: fc.shuffledSubarray(actions, { maxLength: Math.min(14, actions.length) }),
    });
  });

export interface Expected {
  status: string;
  amountPaid: number;
  /** The payments, the amounts that disputes took and returned, and the total refunded. */
  payments: number[];
  disputes: number[];
  refunded: number;
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const ascending = (amounts: number[]) => amounts.sort((a, b) => a - b);

/** The expected result of a history. Only voiding depends on the order, because it is rejected while there is money. */
export function expectedOf({ total, isOverdue, intents, actions }: History): Expected {
  let isVoid = false;
  for (const [index, action] of actions.entries()) {
    if (action === "void") isVoid ||= moneyOf(intents, actions.slice(0, index)).amountPaid === 0;
  }
  const money = moneyOf(intents, actions);
  const unpaid = isOverdue ? "overdue" : money.amountPaid > 0 ? "partially_paid" : "open";
  const status = isVoid ? "void" : money.amountPaid >= total ? "paid" : unpaid;
  return { status, ...money };
}

function moneyOf(intents: Intent[], actions: History["actions"]): Omit<Expected, "status"> {
  const paid = intents.map(({ amount }, index) => {
    const told = actions.filter((action) => action !== "void").filter(({ intent: of }) => of === index);
    const knows = (...tells: EventDelivery["tells"][]) =>
      told.some((delivery) => tells.includes(delivery.tells));
    if (!knows("paid")) return { payments: [], disputes: [], refunded: 0 };
    return {
      payments: [amount],
      disputes: [...(knows("disputed", "won") ? [-amount] : []), ...(knows("won") ? [amount] : [])],
      refunded: Math.max(0, ...told.map(({ refunded }) => refunded)),
    };
  });
  const payments = paid.flatMap((each) => each.payments);
  const disputes = paid.flatMap((each) => each.disputes);
  const refunded = sum(paid.map((each) => each.refunded));
  return {
    payments: ascending(payments),
    disputes: ascending(disputes),
    refunded,
    amountPaid: sum(payments) + sum(disputes) - refunded,
  };
}
