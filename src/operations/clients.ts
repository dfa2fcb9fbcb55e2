import * as z from "zod";
import { changesOf, hasChanges } from "../contract/changes.ts";
import { idInput } from "../contract/fields.ts";
import { refuse } from "../contract/refusal.ts";
import { changeEntries } from "../core/audit-log/audited-change.ts";
import { batch } from "../db/query.ts";
import { createClient } from "../work/clients/create-client.ts";
import { clientResource } from "../work/clients/read-clients.ts";
import { Client, NewClient } from "../work/clients/record.ts";
import { updateClient } from "../work/clients/update-client.ts";
import { type AdminOperations, bySubject, workspaceOperation } from "./operation.ts";

export const clientOperations: AdminOperations = {
  "create-client": workspaceOperation({
    summary:
      "Create a client; `--sample` marks it as onboarding sample data, which is never e-mailed and fires no events",
    action: "create clients",
    input: NewClient.safeExtend({ sample: z.boolean().default(false) }),
    answer: Client,
    async run(context, { sample, ...client }) {
      const id = crypto.randomUUID();
      const [made] = await batch(context.services.db, [
        createClient(context, id, client, sample),
        ...changeEntries(context, "client.created", id),
      ]);
      return made;
    },
    again: bySubject(clientResource.read),
  }),

  "update-client": workspaceOperation({
    summary: "Change a client's fields; an empty string clears a field",
    action: "update clients",
    input: z.strictObject({
      id: idInput,
      ...changesOf(NewClient.shape),
      status: Client.shape.status.optional(),
      sample: z.boolean().optional(),
    }),
    answer: Client,
    async run(context, { id, ...changes }) {
      return hasChanges(changes) ? updateClient(context, id, changes) : refuse("nothing_to_change");
    },
    again: bySubject(clientResource.read),
  }),
};
