import type * as z from "zod";
import type { memberRoles, paymentMethods } from "../../src/contract/closed-sets.ts";
import type { Feedback } from "../../src/review/feedback/record.ts";
import type { Client, NewClient } from "../../src/work/clients/record.ts";
import type { NewInvoice } from "../../src/work/invoices/record.ts";
import type { NewProject, Project } from "../../src/work/projects/record.ts";
import type { NewTimeEntry } from "../../src/work/time-entries/record.ts";

/**
 * A workspace as one document: the request bodies that would create its records, nested by parent, with timestamped
 * history. Projects are referenced by name, time entries by description, and people by e-mail address.
 */
export interface WorkspaceDocument {
  organization: { slug: string; name: string; plan: string; currency: string; features: string[] };
  /** The accent color of review pages and e-mails. */
  accent: string;
  foundedAt: Moment;
  /** The first member is the owner. */
  people: [PersonDocument, ...PersonDocument[]];
  onSendStatus: string;
  clients: ClientDocument[];
  tokens: TokenDocument[];
  endpoints: EndpointDocument[];
}

/** A timestamp in the API's format, never in the future. */
export type Moment = string;

interface PersonDocument {
  email: string;
  name: string;
  role: (typeof memberRoles)[number];
}

/** A token for display only; its plaintext was discarded. */
export interface TokenDocument {
  name: string;
  scopes: string[];
  by: string;
  at: Moment;
}

export interface EndpointDocument {
  url: string;
  description: string;
  /** Omitted to subscribe to all events. */
  events?: string[];
  at: Moment;
  /** When the endpoint started rejecting deliveries; absent if it accepts them. */
  refusesSince?: Moment;
}

/** A record whose id appears in the documentation's examples. */
interface Exemplary {
  id?: string;
}

export type ClientDocument = z.input<typeof NewClient> &
  Exemplary & {
    at: Moment;
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

export type ProjectDocument = Omit<NewProjectInput, "client_id" | "milestones" | "currency"> &
  Exemplary & {
    at: Moment;
    status?: Project["status"];
    milestones?: MilestoneDocument[];
    time_entries?: TimeEntryDocument[];
    change_orders?: ChangeOrderDocument[];
    /** Paid before the project starts. */
    deposit?: { amount: number; at: Moment; clearedAt: Moment };
  };

export type TimeEntryDocument = Pick<z.input<typeof NewTimeEntry>, "hourly_rate" | "billable"> &
  Exemplary & {
    description: string;
    spent_date: string;
    hours: number;
    by: string;
  };

export interface ChangeOrderDocument {
  title: string;
  amount: number;
  sentAt: Moment;
  outcome?: { status: "signed" | "declined"; at: Moment };
}

type NewInvoiceInput = z.input<typeof NewInvoice>;
type LineItemDocument = Omit<NewInvoiceInput["line_items"][number], "time_entry_id"> & {
  time_entry?: string;
};

export type InvoiceDocument = Pick<NewInvoiceInput, "due_date" | "notes"> &
  Exemplary & {
    at: Moment;
    project?: string;
    line_items: LineItemDocument[];
    history?: InvoiceStep[];
  };

export type InvoiceStep = { at: Moment } & (
  | { status: "open" | "overdue" | "void" }
  | { paid: number; via?: (typeof paymentMethods)[number] }
);

export interface DeliverableDocument extends Exemplary {
  title: string;
  at: Moment;
  project?: string;
  embed_url?: string;
  /** The name of a file in pictures/. */
  image?: string;
  note?: string;
  /** These sends do not e-mail anyone. */
  history?: DeliverableStep[];
}

export type DeliverableStep = { at: Moment } & (
  | { sent: { by: string; message?: string } }
  | { version: { embed_url?: string; image?: string; note: string } }
  | { feedback: Pick<Feedback, "kind" | "body" | "author_name"> & Partial<Pick<Feedback, "anchor">> }
  | { signed_off_by: string }
);
