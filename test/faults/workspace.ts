import type { FaultReceiver } from "./receiver.ts";
import type { RunningService } from "./service.ts";

/** The records that the load changes, once each. */
export interface Stock {
  organizationId: string;
  token: string;
  /** Invoices to issue by SQL or by an admin. A partner sends the deliverables below. */
  drafts: string[];
  deliverables: string[];
}

export async function prepareWorkspace(
  service: RunningService,
  { drafts, deliverables }: { drafts: number; deliverables: number },
): Promise<Stock> {
  const { id: organizationId } = await service.admin<{ id: string }>("create-organization", {
    name: "Fault studio",
    slug: "fault-studio",
    plan: "agency",
    owner_email: "owner@example.com",
  });
  const here = { organization: organizationId };
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    ...here,
    name: "faults",
    scopes: "deliverable:write,deliverable:send",
  });
  const makeClient = async (number: number) => {
    const fields = { ...here, company_name: "Acme", email: `contact-${number}@acme.example` };
    return (await service.admin<{ id: string }>("create-client", fields)).id;
  };
  return {
    organizationId,
    token,
    drafts: await insertInvoices(service, organizationId, await makeClient(0), drafts, "2099-12-31"),
    deliverables: await makeDeliverables(service, token, makeClient, deliverables),
  };
}

export async function registerReceiver(
  service: RunningService,
  organization: string,
  receiver: FaultReceiver,
) {
  const { id, secret } = await service.admin<{ id: string; secret: string }>("create-webhook-endpoint", {
    organization,
    url: receiver.url,
  });
  receiver.secret = secret;
  return id;
}

/** A receiver's URL with a public host name, so that the per-host limit applies (service-process.ts). */
export const publicUrl = (url: string, name: string): string =>
  `https://port-${new URL(url).port}.${name}.example/webhooks`;

export async function insertInvoices(
  service: RunningService,
  organizationId: string,
  clientId: string,
  count: number,
  dueDate: string,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const list = JSON.stringify(ids);
  await service.sql(
    `INSERT INTO invoices (id, organization_id, client_id, currency, due_date, subtotal_minor, tax_total_minor,
      total_minor, created_by)
     SELECT value, ?1, ?2, 'USD', ?4, 10000, 0, 10000, (SELECT id FROM members
       WHERE organization_id = ?1) FROM json_each(?3)`,
    organizationId,
    clientId,
    list,
    dueDate,
  );
  await service.sql(
    `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
      unit_price_minor, amount_minor)
     SELECT 'line of ' || value, ?1, value, 1, 'Design', 1, 10000, 10000 FROM json_each(?2)`,
    organizationId,
    list,
  );
  return ids;
}

/** Stays within the limit of 20 e-mails per day to a client's address. */
const deliverablesOfClient = 10;

async function makeDeliverables(
  service: RunningService,
  token: string,
  makeClient: (number: number) => Promise<string>,
  count: number,
) {
  const ids: string[] = [];
  let client_id = "";
  for (let number = 1; number <= count; number += 1) {
    if (number % deliverablesOfClient === 1) client_id = await makeClient(number);
    const body = { title: `Poster ${number}`, client_id, embed_url: "https://example.com/poster" };
    const response = await service.call("/api-v1/deliverables", {
      token,
      body,
      key: `deliverable-${number}`,
    });
    const { id, error } = (await response.json()) as { id: string; error?: string };
    if (response.status !== 201) throw new Error(`a deliverable was refused: ${error}`);
    ids.push(id);
  }
  return ids;
}
