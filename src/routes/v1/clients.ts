import { limits } from "../../contract/limits.ts";
import { Client, exampleClient as example, NewClient } from "../../contract/resources/client.ts";
import { nothing, run } from "../../db/query.ts";
import { createClient } from "../../domain/clients/create-client.ts";
import { clients } from "../../domain/clients/read-clients.ts";
import { listRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

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
