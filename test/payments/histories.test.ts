import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { batch, type Query } from "../../src/db/query.ts";
import { receipt } from "../../src/payments/receive-event.ts";
import { readEvent } from "../../src/processor/read-event.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { type Expected, expectedOf, type History, history } from "./history.ts";

/** 2,000 concurrent histories: each batch contains the nth action of all of them. */
const batches = 20;
const historiesInABatch = 100;

it("Stripe events in any order, even repeated, lead to the correct balance [Y3]", async () => {
  let played = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: historiesInABatch, maxLength: historiesInABatch }),
      async (histories) => {
        const here = await makeFilledWorkspace();
        await openInvoices(here, histories);
        await play(histories);
        const ends = await endsOf(here);
        for (const each of histories) expect(ends.get(each.invoiceId)).toEqual(expectedOf(each));
        played += histories.length;
      },
    ),
    { numRuns: batches, endOnFailure: false },
  );
  expect(played).toBeGreaterThanOrEqual(2_000);
}, 600_000);

async function openInvoices({ organizationId, ownerId, clientId }: FilledWorkspace, histories: History[]) {
  const rows = JSON.stringify(histories);
  await sql(
    `INSERT INTO invoices (id, organization_id, client_id, currency, due_date, subtotal_minor, tax_total_minor,
      total_minor, created_by)
     SELECT value ->> 'invoiceId', ?1, ?2, 'USD', iif(value ->> 'isOverdue', '2020-01-31', NULL), value ->>
       'total', 0, value ->> 'total', ?3
     FROM json_each(?4)`,
    organizationId,
    clientId,
    ownerId,
    rows,
  );
  await sql(
    `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
      unit_price_minor, amount_minor)
     SELECT 'line of ' || id, organization_id, id, 0, 'Design', 1, total_minor, total_minor FROM invoices
       WHERE organization_id = ?`,
    organizationId,
  );
  await sql("UPDATE invoices SET status = 'open' WHERE organization_id = ?", organizationId);
  await sql(
    "UPDATE invoices SET status = 'overdue' WHERE organization_id = ? AND due_date IS NOT NULL",
    organizationId,
  );
}

async function play(histories: History[]) {
  const longest = Math.max(...histories.map(({ actions }) => actions.length));
  for (let turn = 0; turn < longest; turn += 1) {
    const statements = histories.flatMap((each) => statementsOf(each, turn));
    await batch(env.DB, statements);
  }
}

function statementsOf({ invoiceId, actions }: History, turn: number): Query<unknown>[] {
  const action = actions[turn];
  if (action === undefined) return [];
  if (action !== "void") {
    const event = readEvent(action.event);
    if (!event) throw new Error("no event");
    return receipt(event);
  }
  const voiding =
    "UPDATE invoices SET status = 'void' WHERE id = ? AND status IN ('open', 'overdue') AND amount_paid_minor = 0";
  return [{ sql: voiding, params: [invoiceId], read: () => undefined }];
}

interface Told {
  event: string;
  status: string;
  previous_status: string;
  amount_received?: number;
  amount_refunded?: number;
  amount_disputed?: number;
  dispute_status?: string;
}

/** The final state of each invoice, according to its row and to its events. */
async function endsOf({ organizationId }: FilledWorkspace): Promise<Map<string, Expected>> {
  const invoices = await sql<{ id: string; status: string; amount_paid_minor: number }>(
    "SELECT id, status, amount_paid_minor FROM invoices WHERE organization_id = ?",
    organizationId,
  );
  const events = await sql<{ subject_id: string; payload: string }>(
    "SELECT subject_id, payload FROM events WHERE organization_id = ? ORDER BY rowid",
    organizationId,
  );
  return new Map(
    invoices.map(({ id, status, amount_paid_minor }) => {
      const told = events
        .filter(({ subject_id }) => subject_id === id)
        .map(({ payload }) => JSON.parse(payload))
        .map(({ event, data }): Told => ({ ...data, event }));
      return [id, { status, amountPaid: amount_paid_minor, ...moneyTold(told) }] as const;
    }),
  );
}

function moneyTold(told: Told[]): Omit<Expected, "status" | "amountPaid"> {
  const cents = (amounts: (number | undefined)[]) =>
    amounts.flatMap((amount) => (amount === undefined ? [] : [Math.round(amount * 100)]));
  const disputes = told.map(({ amount_disputed: amount, dispute_status }) =>
    dispute_status === "won" ? amount : amount && -amount,
  );
  const refunds = cents(told.map(({ amount_refunded }) => amount_refunded));
  return {
    payments: cents(told.map(({ amount_received }) => amount_received)).sort((a, b) => a - b),
    disputes: cents(disputes).sort((a, b) => a - b),
    refunded: refunds.reduce((sum, amount) => sum + amount, 0),
  };
}
