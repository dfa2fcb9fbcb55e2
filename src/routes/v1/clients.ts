import { clientStatuses } from "../../contract/closed-sets.ts";
import { noQuery, runLast } from "../../db/query.ts";
import { bodyExample } from "../../http/body-example.ts";
import { emailFilter, externalIdFilter, flagFilter, stateFilter } from "../../http/filters.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { createClient } from "../../work/clients/create-client.ts";
import { clientResource } from "../../work/clients/read-clients.ts";
import { Client, exampleClient as example, NewClient } from "../../work/clients/record.ts";

const described = { tag: "Clients", resource: Client, example, scope: "client:read" } as const;

export const listClients = listRoute({
  ...described,
  path: "/api-v1/clients",
  operationId: "listClients",
  summary: "List clients",
  filters: {
    status: stateFilter(clientStatuses),
    external_id: externalIdFilter,
    email: emailFilter,
    is_sample: flagFilter("Whether the client is onboarding sample data", "false"),
  },
  page: clientResource.page,
});

export const getClient = recordRoute({
  ...described,
  path: "/api-v1/clients/{id}",
  operationId: "getClient",
  summary: "Get a client",
  find: clientResource.find,
});

export const postClient = write({
  path: "/api-v1/clients",
  operationId: "createClient",
  tag: "Clients",
  summary: "Create a client",
  scope: "client:write",
  body: NewClient,
  answer: Client,
  answerDescription: "The client",
  examples: {
    body: bodyExample(NewClient, example),
    answer: { ...example, updated_at: example.created_at },
  },
  action: "client.created",
  load: () => noQuery,
  decide(context, { body, entry }) {
    const id = newId();
    const insert = createClient(context, id, body);
    return () => runLast(context.services.db, [insert, clientResource.record(entry(id))]);
  },
  answerOf: clientResource.fromText,
  recall: (organizationId, { subjectId }) => clientResource.read(organizationId, subjectId),
});
