import type * as z from "zod";
import type { paymentWays, presentRoles } from "../../src/contract/closed-sets.ts";
import type { Feedback } from "../../src/review/feedback/record.ts";
import type { Client, NewClient } from "../../src/work/clients/record.ts";
import type { NewInvoice } from "../../src/work/invoices/record.ts";
import type { NewProject, Project } from "../../src/work/projects/record.ts";
import type { NewTimeEntry } from "../../src/work/time-entries/record.ts";

/**
 * A workspace as one document: the bodies of the API's creates, nested by what they belong to, and what has
 * happened to them since, each with its time. Projects are referred to by name, time entries by description,
 * people by e-mail address.
 */
export interface WorkspaceDocument {
  organization: { slug: string; name: string; plan: string; currency: string; features: string[] };
  /** The colour of reviews and e-mails. */
  accent: string;
  foundedAt: Moment;
  /** The first is the owner. */
  people: [PersonDocument, ...PersonDocument[]];
  onSendStatus: string;
  clients: ClientDocument[];
  tokens: TokenDocument[];
  endpoints: EndpointDocument[];
}

/** As the API writes timestamps, and never in the future. */
export type Moment = string;

export interface PersonDocument {
  email: string;
  name: string;
  role: (typeof presentRoles)[number];
}

/** A token that no one has, because its text was discarded. */
export interface TokenDocument {
  name: string;
  scopes: string[];
  by: string;
  at: Moment;
}

export interface EndpointDocument {
  url: string;
  description: string;
  /** Absent: every event. */
  events?: string[];
  at: Moment;
  /** Since when the endpoint has refused deliveries; absent: all were delivered. */
  refusesSince?: Moment;
}

/** A record that the documentation's examples name by id. */
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
    /** In this order. */
    history?: InvoiceStep[];
  };

export type InvoiceStep = { at: Moment } & (
  | { status: "open" | "overdue" | "void" }
  | { paid: number; via?: (typeof paymentWays)[number] }
);

export interface DeliverableDocument extends Exemplary {
  title: string;
  at: Moment;
  project?: string;
  embed_url?: string;
  /** A file in pictures/. */
  image?: string;
  note?: string;
  /** In this order. A send e-mails no one. */
  history?: DeliverableStep[];
}

export type DeliverableStep = { at: Moment } & (
  | { sent: { by: string; message?: string } }
  | { version: { embed_url?: string; image?: string; note: string } }
  | { feedback: Pick<Feedback, "kind" | "body" | "author_name"> & Partial<Pick<Feedback, "anchor">> }
  | { signed_off_by: string }
);
