/** An OpenAPI link: an operation that accepts values of a response. */
export interface Link {
  operationId: string;
  description: string;
  parameters: Record<string, string>;
}

const id = "$response.body#/id";

const link = (
  operationId: string,
  description: string,
  parameters: Record<string, string> = { id },
): Link => ({
  operationId,
  description,
  parameters,
});

const ofDeliverable = {
  send: link("sendDeliverable", "E-mails the client a link to review the deliverable"),
  addVersion: link("createDeliverableVersion", "Appends a version"),
  feedback: link("listDeliverableFeedback", "The deliverable's feedback"),
  signOff: link("getDeliverableSignOff", "The deliverable's sign-off"),
};

/** Links for each operation's successful responses. */
export const links: Record<string, Record<string, Link>> = {
  createClient: {
    client: link("getClient", "The client as it is now"),
    projects: link("listProjects", "The client's projects", { client_id: id }),
    deliverables: link("listDeliverables", "The client's deliverables", { client_id: id }),
  },
  createProject: {
    project: link("getProject", "The project as it is now"),
    timeEntries: link("listTimeEntries", "The project's time entries", { project_id: id }),
    invoices: link("listInvoices", "The project's invoices", { project_id: id }),
  },
  createTimeEntry: { timeEntry: link("getTimeEntry", "The time entry as it is now") },
  createInvoice: {
    invoice: link("getInvoice", "The invoice as it is now"),
    events: link("listEvents", "The invoice's events, such as sent, paid and overdue", { subject_id: id }),
  },
  createDeliverable: {
    deliverable: link("getDeliverable", "The deliverable as it is now"),
    ...ofDeliverable,
  },
  getDeliverable: {
    ...ofDeliverable,
    versions: link("listDeliverableVersions", "The deliverable's versions"),
  },
  createDeliverableVersion: {
    send: link("sendDeliverable", "E-mails the client a link to review the deliverable", {
      id: "$response.body#/deliverable_id",
    }),
  },
  sendDeliverable: {
    deliverable: link("getDeliverable", "The deliverable's review state"),
    feedback: link("listDeliverableFeedback", "The client's feedback"),
  },
  legacyCreateDeliverable: { deliverable: link("getDeliverable", "The deliverable") },
};
