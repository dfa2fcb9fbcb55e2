/** Parses the parameters of `npm start`; the rest are passed to `wrangler dev`. */
import type { CellStates } from "./cells.ts";

const maxCells = 8;

interface CellParameters {
  cells: number;
  cellStates: CellStates;
  parameters: string[];
}

/** Parses `--cells 2`, and `--cell-state b=closed` for cells that are not open. Throws if a value is invalid. */
export function readCellParameters(given: readonly string[]): CellParameters {
  const parameters: string[] = [];
  const cellStates: Record<string, string> = {};
  let cells = 1;
  for (let at = 0; at < given.length; at += 1) {
    const [, name, joined] = /^--(cells|cell-state)(?:=(.*))?$/.exec(given[at] ?? "") ?? [];
    if (name === undefined) {
      parameters.push(given[at] ?? "");
      continue;
    }
    if (joined === undefined) at += 1;
    const value = joined ?? given[at] ?? "";
    if (name === "cells") cells = numberOf(value);
    else Object.assign(cellStates, stateOf(value));
  }
  return { cells, cellStates, parameters };
}

function numberOf(text: string): number {
  const cells = Number(text);
  if (!Number.isInteger(cells) || cells < 1 || cells > maxCells)
    throw new Error(`--cells must be 1 to ${maxCells}`);
  return cells;
}

function stateOf(text: string): CellStates {
  const [, name, state] = /^([a-h])=(open|read_only|closed)$/.exec(text) ?? [];
  if (!name || !state)
    throw new Error("--cell-state must be a cell and open, read_only or closed, such as b=closed");
  return { [name]: state };
}
