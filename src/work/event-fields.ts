import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { id, money } from "../contract/fields.ts";
import { field } from "../core/events/event.ts";
import { columnsOf } from "../db/trigger.ts";
import { currencies } from "../workspace/organizations/tables.ts";
import { clients } from "./clients/tables.ts";
import { projects } from "./projects/tables.ts";

/** Event fields shared by several kinds of records. */

/** Text written by people, for payloads. Each e-mail address is cut down to the part before the @ (contract W7). */
export const safeText = (column: SQL): SQL => sql`(
  SELECT group_concat(
    iif(value GLOB '*@?*.?*', substr(value, 1, instr(value, '@') - 1), value), ' ' ORDER BY key
  ) FROM json_each('[' || replace(json_quote(${column}), ' ', '","') || ']')
)`;

const { code, minor_units_per_unit: units } = columnsOf(currencies);

/** A decimal amount in the joined currency. A whole amount has no decimals. */
export const amountOf = (minor: SQL, example: number, description?: string) =>
  field(
    description === undefined ? money : money.meta({ description }),
    sql`iif(${minor} % ${units}, ${minor} * 1.0 / ${units}, ${minor} / ${units})`,
    example,
  );

const client = columnsOf(clients);
const project = columnsOf(projects);

export const clientName = field(
  z.string().meta({ description: "The client's name", example: "Acme" }),
  safeText(client.name),
  "Acme",
);

export const projectName = field(
  z.string().meta({ description: "The project's name; empty if there is no project", example: "Relaunch" }),
  sql`coalesce(${safeText(project.name)}, '')`,
  "Relaunch",
);

export const clientAndProject = {
  client_id: field(id, client.id, "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10"),
  client_name: clientName,
  project_id: field(id, project.id, "2c7d6a1b-3e4f-4a5b-8c6d-7e8f9a0b1c17"),
  project_name: projectName,
};

export const clientAndOptionalProject = {
  ...clientAndProject,
  project_id: field(id.nullable(), project.id, clientAndProject.project_id.example),
};

export const joinClient = (record: { client_id: SQL }): SQL =>
  sql`JOIN ${clients} ON ${client.id} = ${record.client_id}`;

export const joinAnyProject = (record: { project_id: SQL }): SQL =>
  sql`LEFT JOIN ${projects} ON ${project.id} = ${record.project_id}`;

export const joinProject = (record: { project_id: SQL }): SQL =>
  sql`JOIN ${projects} ON ${project.id} = ${record.project_id}
    JOIN ${clients} ON ${client.id} = ${project.client_id}`;

export const joinCurrency = (record: { currency: SQL }): SQL =>
  sql`JOIN ${currencies} ON ${code} = ${record.currency}`;

export const notSample = sql`${client.is_sample} = 0`;
