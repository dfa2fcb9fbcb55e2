import * as z from "zod";
import { id } from "../../contract/fields.ts";
import { read } from "../../http/read.ts";
import { activeClientsByName } from "../../work/clients/read-clients.ts";

/** Contract G1. Query parameters are ignored. */
export const legacyListClients = read({
  path: "/api-list-clients",
  operationId: "legacyListClients",
  tag: "Legacy",
  summary: "List active clients",
  description:
    "Returns up to 500 active clients, sorted by client_name. Use GET /api-v1/clients instead; no removal date is set.",
  deprecated: true,
  scope: "client:read",
  ignoresUnknown: true,
  answer: z.object({ clients: z.array(z.object({ id, name: z.string() })) }),
  answerDescription: "The clients",
  examples: {
    answer: { clients: [{ id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11", name: "Northwind Studio" }] },
  },
  load: ({ tokenHash }) => activeClientsByName({ tokenHash }),
  present: (clients) => ({ clients }),
});
