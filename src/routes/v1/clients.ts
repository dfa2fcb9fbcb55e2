import { limits } from "../../contract/limits.ts";
import { Client, NewClient } from "../../contract/resources/client.ts";
import { nothing, run } from "../../db/query.ts";
import { createClient } from "../../domain/clients/create-client.ts";
import { clients } from "../../domain/clients/read-clients.ts";
import { listRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: Client = {
  id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  name: "Northwind Studio",
  company_name: "Northwind Studio",
  client_name: "Mara Lindqvist",
  email: "mara@northwind.example",
  status: "active",
  is_sample: false,
  external_id: "crm-4711",
  created_at: "2026-01-12T08:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

export const listClients = listRoute({
  path: "/api-v1/clients",
  operationId: "listClients",
  tag: "Clients",
  summary: "List clients",
  scope: "client:read",
  resource: Client,
  example,
  page: clients.page,
});

export const postClient = write({
  path: "/api-v1/clients",
  operationId: "createClient",
  tag: "Clients",
  summary: "Create a client",
  scope: "client:write",
  body: NewClient,
  maximumBodyBytes: limits.bodyBytes,
  answer: Client,
  answerDescription: "The client",
  examples: {
    body: {
      company_name: "Northwind Studio",
      client_name: "Mara Lindqvist",
      email: "mara@northwind.example",
    },
    answer: example,
  },
  preconditions: () => nothing,
  findExisting: ({ principal, id }) => clients.existing(principal.organizationId, id),
  plan: (context) => () => run(context.services.db, createClient(authorshipOf(context), context.body)),
});
