import type { Route } from "../http/route.ts";
import { ingestRequest } from "./ingest-request.ts";
import { legacyCreateDeliverable } from "./legacy/create-deliverable.ts";
import { legacyListClients } from "./legacy/list-clients.ts";
import { listClients, postClient } from "./v1/clients.ts";
import { postDeliverableSend } from "./v1/deliverable-send.ts";
import { postDeliverableVersion } from "./v1/deliverable-versions.ts";
import { getDeliverable, listDeliverables, postDeliverable } from "./v1/deliverables.ts";
import { getInvoice, listInvoices, postInvoice } from "./v1/invoices.ts";
import { listProjects, postProject } from "./v1/projects.ts";
import { getTimeEntry, listTimeEntries, postTimeEntry } from "./v1/time-entries.ts";

/** Every route of the partner API (specification 4). */
export const routes: readonly Route[] = [
  listTimeEntries,
  getTimeEntry,
  postTimeEntry,
  listInvoices,
  getInvoice,
  postInvoice,
  listProjects,
  postProject,
  listClients,
  postClient,
  listDeliverables,
  getDeliverable,
  postDeliverable,
  postDeliverableVersion,
  postDeliverableSend,
  legacyListClients,
  legacyCreateDeliverable,
  ingestRequest,
];
