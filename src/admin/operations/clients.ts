import * as z from "zod";
import { deny } from "../../contract/admin-refusals.ts";
import { clientStatuses } from "../../contract/closed-sets.ts";
import { emailInput, idInput, text } from "../../contract/fields.ts";
import { Client } from "../../contract/resources/client.ts";
import { changeWithAudit } from "../../domain/audited-change.ts";
import { createClient } from "../../domain/clients/create-client.ts";
import { findClient } from "../../domain/clients/read-clients.ts";
import { updateClient } from "../../domain/clients/update-client.ts";
import { clearable, flag } from "../fields.ts";
import { nothingToChange, type Operations, operation } from "../operation.ts";

export const clientOperations: Operations = {
  "create-client": operation({
    summary: "Create a client; --sample makes it onboarding sample data, never mailed and without events",
    action: "create clients",
    input: z.strictObject({
      company_name: text(1, 200).optional(),
      client_name: text(1, 200).optional(),
      email: emailInput.optional(),
      external_id: text(1, 200).optional(),
      sample: flag.default(false),
    }),
    answer: Client,
    async run(context, { sample, ...client }) {
      if (client.company_name === undefined && client.client_name === undefined) {
        return deny("company_name or client_name is required");
      }
      const id = crypto.randomUUID();
      const { organization, actor } = context;
      const authorship = { id, organizationId: organization.id, actorId: actor.id, fingerprint: null };
      const { record } = await changeWithAudit(context, {
        action: "client.created",
        subjectId: id,
        change: createClient(authorship, client, sample),
        read: findClient(organization.id, id),
      });
      return record as Client;
    },
  }),

  "update-client": operation({
    summary: "Change fields of a client; an empty text clears one",
    action: "update clients",
    input: z.strictObject({
      id: idInput,
      company_name: clearable(text(1, 200)).optional(),
      client_name: clearable(text(1, 200)).optional(),
      email: clearable(emailInput).optional(),
      external_id: clearable(text(1, 200)).optional(),
      status: z.enum(clientStatuses).optional(),
      sample: flag.optional(),
    }),
    answer: Client,
    async run(context, { id, ...changes }) {
      return nothingToChange(changes) ?? updateClient(context, id, changes);
    },
  }),
};
