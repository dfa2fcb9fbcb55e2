import type * as z from "zod";
import type { Feedback } from "../../src/review/feedback/record.ts";
import type { Client, NewClient } from "../../src/work/clients/record.ts";
import type { NewInvoice } from "../../src/work/invoices/record.ts";
import type { NewProject, Project } from "../../src/work/projects/record.ts";
import type { NewTimeEntry } from "../../src/work/time-entries/record.ts";

/**
 * A workspace as one document: the bodies of the API's creates, nested by what they belong to, and what has happened to
 * them since. Projects are referred to by name, time entries by description.
 */
export interface WorkspaceDocument {
  organization: { slug: string; name: string; plan: string; currency: string; features: string[] };
  owner: { email: string; name: string };
  onSendStatus: string;
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

export type ProjectDocument = Omit<NewProjectInput, "client_id" | "milestones" | "currency"> & {
  status?: Project["status"];
  milestones?: MilestoneDocument[];
  time_entries?: TimeEntryDocument[];
};

export type TimeEntryDocument = Pick<z.input<typeof NewTimeEntry>, "hourly_rate" | "billable"> & {
  description: string;
  spent_date: string;
  hours: number;
};

type NewInvoiceInput = z.input<typeof NewInvoice>;
type LineItemDocument = Omit<NewInvoiceInput["line_items"][number], "time_entry_id"> & {
  time_entry?: string;
};

export type InvoiceDocument = Pick<NewInvoiceInput, "due_date" | "notes"> & {
  project?: string;
  line_items: LineItemDocument[];
  /** In this order; a number is a payment. */
  history?: ("open" | "overdue" | "void" | number)[];
};

export interface DeliverableDocument {
  title: string;
  project?: string;
  embed_url?: string;
  /** A PNG file. */
  image?: string;
  /** In this order. A send mails nobody. */
  history?: DeliverableStep[];
}

export type DeliverableStep =
  | "sent"
  | { version: { embed_url: string; note: string } }
  | { feedback: Pick<Feedback, "kind" | "body" | "author_name"> }
  | { signed_off_by: string };
