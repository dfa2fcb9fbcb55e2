import { and, eq, sql } from "drizzle-orm";
import { invalid, Refusal } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import {
  build,
  inserting,
  insertSelect,
  nullable,
  type Placeholders,
  prepared,
  rowOf,
  statement,
} from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { grantedBy } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { clients } from "../clients/tables.ts";
import { projects } from "../projects/tables.ts";
import { timeEntries } from "../time-entries/tables.ts";
import { wrongReference } from "../wrong-reference.ts";
import { priceInvoice } from "./price-invoice.ts";
import type { NewInvoice } from "./record.ts";
import { invoiceLineItems, invoices as table } from "./tables.ts";

/** The records that a draft refers to, if they are in the workspace. */
interface InvoiceReferences {
  clientId: string | null;
  clientOfProject: string | null;
  timeEntries: ReadonlyMap<string, BilledEntry>;
}

interface BilledEntry {
  id: string;
  client_id: string;
  invoice_id: string | null;
}

/** Raw SQL, because CROSS JOIN makes SQLite start from the few ids and not from all the workspace's time entries. */
const billedEntries = (
  ids: Placeholders<{ ids: string }>["ids"],
) => sql<string>`(SELECT json_group_array(json_object(
  'id', ${timeEntries.id}, 'client_id', ${timeEntries.client_id}, 'invoice_id', ${timeEntries.invoice_id}))
  FROM json_each(${ids}) AS named CROSS JOIN ${timeEntries} ON ${timeEntries.id} = named.value
  AND ${eq(timeEntries.organization_id, apiTokens.organization_id)})`;

type ReferenceValues = { tokenHash: string; clientId: string; projectId: string | null; ids: string };

const findReferences = prepared((bind: Placeholders<ReferenceValues>) =>
  rowOf(
    build
      .select({
        clientId: nullable(clients.id, "clientId"),
        clientOfProject: nullable(projects.client_id, "clientOfProject"),
        timeEntries: billedEntries(bind.ids).as("timeEntries"),
      })
      .from(apiTokens)
      .leftJoin(
        clients,
        and(eq(clients.id, bind.clientId), eq(clients.organization_id, apiTokens.organization_id)),
      )
      .leftJoin(
        projects,
        and(eq(projects.id, bind.projectId), eq(projects.organization_id, apiTokens.organization_id)),
      )
      .where(grantedBy(bind.tokenHash, "invoice:write")),
  ),
);

export const invoiceReferences = (tokenHash: string, invoice: NewInvoice): Query<InvoiceReferences> => {
  const ids = invoice.line_items.flatMap((item) => item.time_entry_id ?? []);
  const { client_id: clientId, project_id: projectId = null } = invoice;
  return mapped(findReferences({ tokenHash, clientId, projectId, ids: JSON.stringify(ids) }), (found) => {
    const entries: BilledEntry[] = JSON.parse(found?.timeEntries ?? "[]");
    return {
      clientId: found?.clientId ?? null,
      clientOfProject: found?.clientOfProject ?? null,
      timeEntries: new Map(entries.map((entry) => [entry.id, entry])),
    };
  });
};

const insertInvoice = inserting(table);

/**
 * Raw SQL with one parameter, because 200 lines have more values than D1 can bind. The lines have the invoice's
 * created_at, so inserting them does not bump its updated_at.
 */
const insertLines = prepared(
  (bind: Placeholders<{ organizationId: string; invoiceId: string; lines: string }>) =>
    statement(
      insertSelect(
        invoiceLineItems,
        {
          id: sql`line.value ->> 'id'`,
          organization_id: sql`${table.organization_id}`,
          invoice_id: sql`${table.id}`,
          position: sql`line.value ->> 'position'`,
          description: sql`line.value ->> 'description'`,
          quantity: sql`line.value ->> 'quantity'`,
          unit_price_minor: sql`line.value ->> 'unit_price_minor'`,
          tax_rate: sql`line.value ->> 'tax_rate'`,
          amount_minor: sql`line.value ->> 'amount_minor'`,
          time_entry_id: sql`line.value ->> 'time_entry_id'`,
          created_at: sql`${table.created_at}`,
        },
        sql`FROM ${table}, json_each(${bind.lines}) AS line
        WHERE ${and(eq(table.id, bind.invoiceId), eq(table.organization_id, bind.organizationId))}`,
      ),
    ),
);

/** Returns the queries that draft an invoice, or a 400 that names the invalid reference or amount. */
export function createInvoice(
  { organization, actor }: Context<TokenActor, never, "currency">,
  id: string,
  { line_items, ...invoice }: NewInvoice,
  references: InvoiceReferences,
): Refusal | readonly [Query<unknown>, Query<void>] {
  const refusal = refuseReferences({ line_items, ...invoice }, references);
  if (refusal) return refusal;
  const currency = invoice.currency ?? organization.currency;
  const priced = priceInvoice(line_items, currency);
  if (priced instanceof Refusal) return priced;
  const { lines, ...totals } = priced;
  const made = lines.map((line) => ({ id: crypto.randomUUID(), ...line }));
  return [
    insertInvoice({
      ...invoice,
      ...totals,
      id,
      organization_id: organization.id,
      currency,
      created_by: actor.id,
    }),
    insertLines({ organizationId: organization.id, invoiceId: id, lines: JSON.stringify(made) }),
  ];
}

function refuseReferences(invoice: NewInvoice, known: InvoiceReferences): Refusal | undefined {
  const { client_id, project_id } = invoice;
  const wrong =
    wrongReference("client_id", client_id, known.clientId, client_id) ??
    wrongReference("project_id", project_id, known.clientOfProject, client_id);
  if (wrong) return wrong;
  const billed = new Set<string>();
  for (const [position, { time_entry_id }] of invoice.line_items.entries()) {
    if (time_entry_id === undefined) continue;
    const field = `line_items.${position}.time_entry_id`;
    const entry = known.timeEntries.get(time_entry_id);
    const wrong = wrongReference(field, time_entry_id, entry?.client_id, client_id);
    if (wrong) return wrong;
    if (entry?.invoice_id !== null || billed.has(time_entry_id))
      return invalid(`${field} is already invoiced`);
    billed.add(time_entry_id);
  }
  return undefined;
}
