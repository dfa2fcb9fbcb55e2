/** The local workspace `demo`: a small agency with work in progress. Times are relative to its creation. */
import { clientDocuments } from "./demo-workspace/clients.ts";
import type { WorkspaceDocument } from "./demo-workspace/document.ts";
import { momentsBefore, team } from "./demo-workspace/moments.ts";

export const demoSlug = "demo";

/** `receivers` is the local service's URL for its own webhooks (local/receivers.ts). */
export function demoWorkspace(now: Date, receivers: string): WorkspaceDocument {
  const moments = momentsBefore(now);
  const { at, hoursAgo } = moments;
  return {
    organization: {
      slug: demoSlug,
      name: "Lumen Studio",
      plan: "solo",
      currency: "EUR",
      features: ["connector_api_ingest"],
    },
    accent: "#c2410c",
    foundedAt: at(-210, "08:00"),
    people: [
      { email: team.ida, name: "Ida Holm", role: "owner" },
      { email: team.jonas, name: "Jonas Berg", role: "admin" },
      { email: team.priya, name: "Priya Nair", role: "member" },
      { email: team.noor, name: "Noor Haddad", role: "member" },
    ],
    onSendStatus: "With the client",
    clients: clientDocuments(moments),
    tokens: [
      {
        name: "Bookkeeping",
        scopes: ["client:read", "invoice:read", "project:read"],
        by: team.ida,
        at: at(-160, "09:12"),
      },
      {
        name: "Time tracker",
        scopes: ["project:read", "time:read", "time:write"],
        by: team.jonas,
        at: at(-74, "14:40"),
      },
      {
        name: "Website contact form",
        scopes: ["client:write", "request:write"],
        by: team.ida,
        at: at(-21, "10:05"),
      },
    ],
    endpoints: [
      { url: `${receivers}/crm`, description: "CRM: everything that happens", at: at(-60, "11:20") },
      {
        url: `${receivers}/board`,
        description: "The board in the office: reviews and money",
        events: ["delivery", "money"],
        at: at(-158, "09:30"),
        refusesSince: hoursAgo(13),
      },
    ],
  };
}
