/** Reads the cells of production from cells.toml. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const CellEntry = z.object({
  name: z.string().regex(/^(?!front$)[a-z][a-z0-9]*$/, "not a cell's name: lower case letters and digits"),
  region: z.string(),
  placement: z.string(),
  /** In percent. */
  mail_share: z.int().min(0).max(100),
  backup_hour: z.int().min(0).max(23),
  /** Undefined for the first cell, which uses the database of [env.production]. */
  database_id: z.string().optional(),
});
export type CellEntry = z.output<typeof CellEntry>;

export interface CellTable {
  directoryId: string;
  cells: CellEntry[];
}

/** Rate limit namespaces start with their cell's digit; 1 to 3 are taken by development, production and staging. */
const maxCells = 6;

/** Throws an error with a message if the table is invalid. */
export function readCells(toml: string): CellTable {
  const [top = {}, ...tables] = toml.split(/^\[\[cells\]\]$/m).map(valuesOf);
  const directoryId = String(top.directory_id ?? "");
  const cells = tables.map((table, index) => {
    const read = CellEntry.safeParse(table);
    const issue = read.error?.issues[0];
    if (issue) throw new Error(`${issue.path} of a cell: ${issue.message}`);
    const { data } = read as { data: CellEntry };
    if (index > 0 && data.database_id === undefined)
      throw new Error(`The cell ${data.name} has no database_id`);
    return data;
  });
  refuseWrong(cells, directoryId);
  return { directoryId, cells };
}

/** Parses `name = value` lines, with an optional trailing comment. */
function valuesOf(toml: string): Record<string, string | number> {
  const lines = [...toml.matchAll(/^(\w+) = ("[^"]*"|\d+)\s*(?:#.*)?$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, JSON.parse(value)]));
}

function refuseWrong(cells: readonly CellEntry[], directoryId: string): void {
  if (cells.length === 0 || cells.length > maxCells) throw new Error(`There must be 1 to ${maxCells} cells`);
  for (const field of ["name", "database_id"] as const) {
    const values = cells.map((cell) => cell[field]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice !== undefined) throw new Error(`Two cells have the ${field} "${twice}"`);
  }
  if (cells.some((cell) => cell.database_id === directoryId))
    throw new Error("A cell has the directory's database");
  const shares = cells.reduce((sum, { mail_share }) => sum + mail_share, 0);
  if (shares > 100) throw new Error(`The cells have ${shares} % of the mails`);
}

export const cellsOfProduction = (): CellTable =>
  readCells(readFileSync(join(import.meta.dirname, "..", "cells.toml"), "utf8"));
