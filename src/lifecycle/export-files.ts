/** Descriptions of the files in a workspace's export, for its README.txt and the export page. */

interface FilesOfExport {
  name: string;
  /** The description for the page. */
  holds: string;
  /** Each file's description, by name. */
  files: Readonly<Record<string, string>>;
}

export const filesOfExport: readonly FilesOfExport[] = [
  {
    name: "Work",
    holds: "Clients, projects, time entries, change orders, invoices, deposits and payments",
    files: {
      "clients.jsonl": "your clients",
      "projects.jsonl": "their projects",
      "milestones.jsonl": "the milestones of projects",
      "revision_overrides.jsonl": "revision rounds that you added to projects",
      "time_entries.jsonl": "logged time",
      "change_orders.jsonl": "change orders",
      "change_decisions.jsonl": "change decisions",
      "deposits.jsonl": "deposits of projects",
      "invoices.jsonl": "invoices",
      "invoice_line_items.jsonl": "the lines of invoices",
      "payments.jsonl": "payments of invoices",
      "payment_reversals.jsonl": "refunds and disputes of payments",
      "processor_events.jsonl": "what the payment processor reported",
    },
  },
  {
    name: "Reviews",
    holds: "Every version with its image, all sends, comments and sign-offs",
    files: {
      "deliverables.jsonl": "the work that clients review",
      "deliverable_versions.jsonl": "its versions; asset_path names a version's image in the folder images",
      "deliverable_sends.jsonl": "when work was sent, with which message",
      "feedback.jsonl": "comments, change requests and replies",
      "review_openings.jsonl": "who opened which version, on which day",
      "sign_offs.jsonl": "sign-offs, each with its evidence",
      "review_notices.jsonl": "e-mails about reviews that were sent, or wait",
      "scope_request_evidence.jsonl": "messages of clients that partners added",
      "stored_images.jsonl": "the path and size of each image",
      "images/": "every image as it was uploaded",
    },
  },
  {
    name: "Settings",
    holds: "Members, brand, tokens and endpoints without their secrets, connected apps",
    files: {
      "organizations.jsonl": "the workspace itself",
      "brands.jsonl": "its colour and logo",
      "members.jsonl": "its members",
      "invitations.jsonl": "invitations to it",
      "api_tokens.jsonl": "tokens: names, permissions and use, not the tokens themselves",
      "allowed_origins.jsonl": "sites that the workspace allows links to",
      "webhook_endpoints.jsonl": "webhook endpoints, without their secrets",
      "connections.jsonl": "apps that were connected",
    },
  },
  {
    name: "History",
    holds: "The activity, events, deliveries, e-mail counts and what tokens changed",
    files: {
      "audit_log.jsonl": "the activity: who changed what",
      "requests.jsonl": "what requests and forms changed, each with its first response",
      "events.jsonl": "events",
      "webhook_deliveries.jsonl": "deliveries of events to endpoints",
      "webhook_attempts.jsonl": "the attempts of each delivery",
      "mail_counts.jsonl": "how many e-mails were sent on each day",
      "member_mails.jsonl": "the message ids of e-mails to members and invited people",
    },
  },
];

/** Renders the `README.txt` of an export that began at the given time. */
export function readmeOfExport(workspace: string, beganAt: Date): string {
  const sections = filesOfExport.map(({ name, files }) => {
    const lines = Object.entries(files).map(([file, holds]) => `  ${file.padEnd(longestName + 2)}${holds}`);
    return `${name}\n${lines.join("\n")}\n`;
  });
  return `Export of ${workspace}, begun at ${beganAt.toISOString()}

Each .jsonl file holds one record per line, as JSON. A record names others by their id: a project's client_id is
the id of a line of clients.jsonl. Amounts that end with _minor are in the smallest unit of their currency, such as
cents. Times are UTC.

${sections.join("\n")}
Anything that gives access (tokens, secrets, review links and codes) and the API request log are not included.
The service kept running during the export, so files may differ by what changed meanwhile.
`;
}

const longestName = Math.max(
  ...filesOfExport.flatMap(({ files }) => Object.keys(files)).map((name) => name.length),
);
