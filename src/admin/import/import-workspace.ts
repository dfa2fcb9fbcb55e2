import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import { Refusal } from "../../contract/failures.ts";
import { NewClient } from "../../contract/resources/client.ts";
import { batch, type Query, run, statement } from "../../db/query.ts";
import { audited } from "../../domain/audited-change.ts";
import type { Authorship } from "../../domain/authorship.ts";
import { createClient } from "../../domain/clients/create-client.ts";
import type { OperationContext } from "../operation.ts";
import { importDeliverable } from "./deliverable.ts";
import { importInvoice } from "./invoice.ts";
import { importProject } from "./project.ts";
import type { ClientDocument, WorkspaceDocument } from "./workspace-document.ts";

const hasClients = (organizationId: string): Query<boolean> => ({
  sql: "SELECT 1 FROM clients WHERE organization_id = ? LIMIT 1",
  params: [organizationId],
  read: (rows) => rows.length > 0,
});

/** Fills an empty workspace from one document, in one transaction: it is imported whole or not at all. */
export async function importWorkspace(
  context: OperationContext,
  document: WorkspaceDocument,
): Promise<{ clients: number } | Refusal | AdminRefusal> {
  const { db, organization } = context;
  if (await run(db, hasClients(organization.id)))
    return deny("This workspace has clients already: only an empty one can be filled");
  const queries: Query<unknown>[] = [];
  for (const client of document.clients) {
    const imported = importClient(context, client);
    if (imported instanceof Refusal) return imported;
    queries.push(...imported);
  }
  const clients = document.clients.length;
  const [first, ...rest] = queries;
  if (!first) return { clients };
  await batch(db, [first, audited(context, "workspace.imported", organization.id, { clients }), ...rest]);
  return { clients };
}

function importClient(
  { organization, actor, services }: OperationContext,
  { sample = false, status, projects = [], invoices = [], deliverables = [], ...fields }: ClientDocument,
): Query<unknown>[] | Refusal {
  const authorship = (): Authorship => ({
    id: crypto.randomUUID(),
    organizationId: organization.id,
    actorId: actor.id,
    fingerprint: null,
  });
  const client = authorship();
  const client_id = client.id;
  const { currency } = organization;
  const queries: Query<unknown>[] = [createClient(client, NewClient.parse(fields), sample)];
  const projectIds = new Map<string, string>();
  const entryIds = new Map<string, string>();
  for (const project of projects) {
    const made = authorship();
    const imported = importProject(made, project, { client_id, currency });
    if (imported instanceof Refusal) return imported;
    queries.push(...imported.queries);
    projectIds.set(project.name, made.id);
    for (const [description, id] of imported.entryIds) entryIds.set(description, id);
  }
  for (const invoice of invoices) {
    const project_id = invoice.project === undefined ? undefined : projectIds.get(invoice.project);
    const imported = importInvoice(authorship(), invoice, { client_id, project_id, entryIds, currency });
    if (imported instanceof Refusal) return imported;
    queries.push(...imported);
  }
  for (const deliverable of deliverables) {
    const project_id = projectIds.get(deliverable.project ?? "") ?? null;
    const { applicationUrl } = services;
    const place = { client_id, project_id, isSample: sample, applicationUrl };
    queries.push(...importDeliverable(authorship(), deliverable, place));
  }
  if (status) queries.push(statement("UPDATE clients SET status = ? WHERE id = ?", status, client_id));
  return queries;
}
