/** The scope catalog (contract A10). A scope with `grantable: false` is reserved: no route accepts it. */
export const scopeCatalogue = {
  "client:read": { grants: "read clients", default_selected: true, sensitive: false, grantable: true },
  "project:read": {
    grants: "read projects and milestones",
    default_selected: true,
    sensitive: false,
    grantable: true,
  },
  "time:read": { grants: "read time entries", default_selected: true, sensitive: false, grantable: true },
  "invoice:read": {
    grants: "read invoices and line items",
    default_selected: true,
    sensitive: false,
    grantable: true,
  },
  "deliverable:read": {
    grants: "read deliverables and their review status",
    default_selected: true,
    sensitive: false,
    grantable: true,
  },
  "time:write": { grants: "create time entries", default_selected: false, sensitive: false, grantable: true },
  "invoice:write": {
    grants: "create draft invoices",
    default_selected: false,
    sensitive: false,
    grantable: true,
  },
  "project:write": { grants: "create projects", default_selected: false, sensitive: false, grantable: true },
  "client:write": { grants: "create clients", default_selected: false, sensitive: false, grantable: true },
  "deliverable:write": {
    grants: "create deliverables and add versions",
    default_selected: false,
    sensitive: false,
    grantable: true,
  },
  "request:write": {
    grants: "ingest scope requests",
    default_selected: false,
    sensitive: false,
    grantable: true,
  },
  "deliverable:send": {
    grants: "e-mail a client a review link",
    default_selected: false,
    sensitive: true,
    grantable: true,
  },
  "invoice:issue": {
    grants: "issue invoices to clients",
    default_selected: false,
    sensitive: true,
    grantable: false,
  },
} as const;

export type Scope = keyof typeof scopeCatalogue;

/** The scopes that a new token gets by default (contract A8). */
export const defaultScopes: readonly Scope[] = ["deliverable:write"];

export const isScope = (text: string): text is Scope => Object.hasOwn(scopeCatalogue, text);
