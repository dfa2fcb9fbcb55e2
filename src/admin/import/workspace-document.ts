import type * as z from "zod";
import type { Client, NewClient } from "../../contract/resources/client.ts";
import type { NewInvoice } from "../../contract/resources/invoice.ts";
import type { NewProject, Project } from "../../contract/resources/project.ts";
import type { NewTimeEntry } from "../../contract/resources/time-entry.ts";
import type { NewVersion } from "../../contract/resources/version.ts";
import type { Feedback } from "../../contract/workspace/records.ts";

/**
 * A whole workspace as one document: the bodies of the API's creates, nested by what they belong to, and what has
 * happened to them since. Projects are referred to by name, time entries by description.
 */
export interface WorkspaceDocument {
  clients: ClientDocument[];
}

export type ClientDocument = z.input<typeof NewClient> & {
  sample?: boolean;
  status?: Client["status"];
  projects?: ProjectDocument[];
  invoices?: InvoiceDocument[];
  deliverables?: DeliverableDocument[];
};

type NewProjectInput = z.input<typeof NewProject>;
type MilestoneDocument = NonNullable<NewProjectInput["milestones"]>[number] & {
  status?: Project["milestones"][number]["status"];
};

export type ProjectDocument = Omit<NewProjectInput, "client_id" | "milestones"> & {
  status?: Project["status"];
  milestones?: MilestoneDocument[];
  time_entries?: Omit<z.input<typeof NewTimeEntry>, "project_id">[];
};

type NewInvoiceInput = z.input<typeof NewInvoice>;
type LineItemDocument = Omit<NewInvoiceInput["line_items"][number], "time_entry_id"> & {
  time_entry?: string;
};

export type InvoiceDocument = Omit<NewInvoiceInput, "client_id" | "project_id" | "line_items"> & {
  project?: string;
  line_items: LineItemDocument[];
  /** In this order; a number is a payment. */
  history?: ("open" | "overdue" | "void" | number)[];
};

export interface DeliverableDocument {
  title: string;
  project?: string;
  embed_url: string;
  /** In this order. A send mails nobody: it is told, not done. */
  history?: DeliverableStep[];
}

export type DeliverableStep =
  | "sent"
  | { version: Omit<z.input<typeof NewVersion>, "image_base64"> }
  | { feedback: Pick<Feedback, "kind" | "body" | "author_name"> }
  | { signed_off_by: string };
