import type { Route } from "../http/route.ts";
import { ingestRequest } from "./ingest-request.ts";
import { legacyCreateDeliverable } from "./legacy/create-deliverable.ts";
import { legacyListClients } from "./legacy/list-clients.ts";
import { getClient, listClients, postClient } from "./v1/clients.ts";
import { listDeliverableFeedback } from "./v1/deliverable-feedback.ts";
import { postDeliverableSend } from "./v1/deliverable-send.ts";
import { getDeliverableSignOff } from "./v1/deliverable-sign-off.ts";
import {
  getDeliverableVersion,
  getDeliverableVersionImage,
  listDeliverableVersions,
  postDeliverableVersion,
} from "./v1/deliverable-versions.ts";
import { getDeliverable, listDeliverables, postDeliverable } from "./v1/deliverables.ts";
import { listEvents } from "./v1/events.ts";
import { getInvoice, listInvoices, postInvoice } from "./v1/invoices.ts";
import { getProject, listProjects, postProject } from "./v1/projects.ts";
import { listRequestsOfToken } from "./v1/requests.ts";
import { getTimeEntry, listTimeEntries, postTimeEntry } from "./v1/time-entries.ts";
import { getToken } from "./v1/token.ts";

/** Every partner API route (contract R15). */
export const routes: readonly Route[] = [
  listTimeEntries,
  getTimeEntry,
  postTimeEntry,
  listInvoices,
  getInvoice,
  postInvoice,
  listProjects,
  getProject,
  postProject,
  listClients,
  getClient,
  postClient,
  listDeliverables,
  getDeliverable,
  postDeliverable,
  listDeliverableVersions,
  getDeliverableVersion,
  getDeliverableVersionImage,
  postDeliverableVersion,
  postDeliverableSend,
  listEvents,
  getToken,
  listRequestsOfToken,
  listDeliverableFeedback,
  getDeliverableSignOff,
  legacyListClients,
  legacyCreateDeliverable,
  ingestRequest,
];
