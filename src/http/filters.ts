import * as z from "zod";
import { dateInput, emailCharacters, idInput } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";

/** Filters that several lists share (contract L8). */

/** Matches records by another record's id. An unknown id matches nothing. */
export const idFilter = (of: string) =>
  idInput.optional().meta({ description: `Only records for this ${of}` });

/** Matches a name or label exactly. */
export const textFilter = (
  description: string,
  example: string,
  maxCharacters: number = limits.nameCharacters,
) => z.string().min(1).max(maxCharacters).optional().meta({ description, example });

export const externalIdFilter = textFilter(
  "The `external_id` that you set when you created the record",
  "crm-4711",
);

export const emailFilter = textFilter("The exact e-mail address", "mara@northwind.example", emailCharacters);

export const stateFilter = <const S extends readonly [string, ...string[]]>(states: S) =>
  z.enum(states).optional().meta({
    description: "Only records with this status",
    example: states[0],
  });

export const flagFilter = (description: string, example: "true" | "false") =>
  z.enum(["true", "false"]).optional().meta({ description, example });

export const dayFilter = (description: string, example: string) =>
  dateInput.optional().meta({ description, example });
