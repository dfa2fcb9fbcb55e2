import type { Route } from "../http/operation.ts";
import { legacyListClients } from "./legacy/list-clients.ts";
import { listClients, postClient } from "./v1/clients.ts";
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
  legacyListClients,
];
