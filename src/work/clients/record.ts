import * as z from "zod";
import { clientStatuses } from "../../contract/closed-sets.ts";
import { emailInput, id, line, openEnum, optionalLine, timestamp } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { variants } from "../../contract/variants.ts";

export const Client = z
  .object({
    id,
    name: z.string().meta({ description: "`company_name`, or `client_name` if `company_name` is empty" }),
    company_name: z.string().nullable(),
    client_name: z.string().nullable(),
    email: z.string().nullable(),
    status: openEnum(clientStatuses),
    is_sample: z.boolean().meta({
      description: "Whether this is onboarding sample data, which is never e-mailed and fires no events",
    }),
    external_id: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Client" });
export type Client = z.output<typeof Client>;

export const exampleClient: Client = {
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

export const NewClient = z
  .strictObject({
    company_name: optionalLine(limits.nameCharacters),
    client_name: optionalLine(limits.nameCharacters),
    email: emailInput.optional(),
    external_id: line(1, limits.externalIdCharacters).optional(),
  })
  .refine((client) => client.company_name !== undefined || client.client_name !== undefined, {
    error: "company_name or client_name is required",
  })
  .meta({
    id: "NewClient",
    override: variants("anyOf", [
      { title: "A company", required: ["company_name"] },
      { title: "A person", required: ["client_name"] },
    ]),
  });
export type NewClient = z.output<typeof NewClient>;
