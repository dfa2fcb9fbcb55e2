import { type Scope, scopeCatalogue } from "../../contract/scopes.ts";

/** Labels for the scopes: for each record, what a token may read and do. */

interface Permission {
  scope: Scope;
  /** The checkbox's label. `of` completes it for people who do not see the row's heading. */
  does: string;
  of: string;
}

interface RecordPermissions {
  name: string;
  read: readonly Permission[];
  write: readonly Permission[];
}

export const permissionsByRecord: readonly RecordPermissions[] = [
  {
    name: "Clients",
    read: [{ scope: "client:read", does: "Read", of: "clients" }],
    write: [{ scope: "client:write", does: "Create", of: "clients" }],
  },
  {
    name: "Projects and milestones",
    read: [{ scope: "project:read", does: "Read", of: "projects" }],
    write: [{ scope: "project:write", does: "Create", of: "projects" }],
  },
  {
    name: "Time entries",
    read: [{ scope: "time:read", does: "Read", of: "time entries" }],
    write: [{ scope: "time:write", does: "Create", of: "time entries" }],
  },
  {
    name: "Invoices",
    read: [{ scope: "invoice:read", does: "Read", of: "invoices" }],
    write: [
      { scope: "invoice:write", does: "Create drafts", of: "of invoices" },
      { scope: "invoice:issue", does: "Issue", of: "invoices" },
    ],
  },
  {
    name: "Deliverables and reviews",
    read: [{ scope: "deliverable:read", does: "Read", of: "deliverables" }],
    write: [
      { scope: "deliverable:write", does: "Create, add versions", of: "of deliverables" },
      { scope: "deliverable:send", does: "Send to the client", of: "for review" },
    ],
  },
  {
    name: "Client messages",
    read: [],
    write: [{ scope: "request:write", does: "Create", of: "client messages" }],
  },
];

interface Preset {
  id: string;
  name: string;
  does: string;
  scopes: readonly Scope[];
}

const preselected = (Object.keys(scopeCatalogue) as Scope[]).filter(
  (scope) => scopeCatalogue[scope].default_selected,
);

/** The presets. The first one is the catalog's default. */
export const presets: readonly [Preset, ...Preset[]] = [
  { id: "read-only", name: "Read only", does: "Reads everything, changes nothing", scopes: preselected },
  {
    id: "time-tracker",
    name: "Time tracker",
    does: "Reads clients and projects, logs time",
    scopes: ["client:read", "project:read", "time:read", "time:write"],
  },
  {
    id: "accounting",
    name: "Accounting",
    does: "Reads time and invoices, drafts invoices",
    scopes: ["client:read", "project:read", "time:read", "invoice:read", "invoice:write"],
  },
  {
    id: "design-tool",
    name: "Design tool",
    does: "Adds deliverables and versions",
    scopes: ["client:read", "project:read", "deliverable:read", "deliverable:write"],
  },
];

/** Lists the records that the scopes can read or write, as text. */
export const recordsOf = (scopes: readonly string[], kinds: readonly ("read" | "write")[]): string =>
  permissionsByRecord
    .filter((record) => kinds.some((kind) => record[kind].some(({ scope }) => scopes.includes(scope))))
    .map(({ name }, index) => (index === 0 ? name : name.toLowerCase()))
    .join(", ");
