import { moveLimits } from "../move.ts";
import { oneOf, type RefusalEntry } from "./entry.ts";

/** Refusals of `move-organization`, which only the operator sees. */
export const moveRefusals = {
  move_to_unknown: {
    status: 400,
    text: ({ cells }: { cells: readonly string[] }) => `to must be ${oneOf(cells)}`,
  },
  move_back_to: {
    status: 400,
    text: "back and to cannot be used together",
    hint: "--back true returns the workspace to its first cell, so it needs no --to",
  },
  move_there_already: {
    status: 409,
    text: ({ cell }: { cell: string }) => `The workspace is already in cell ${cell}`,
  },
  move_elsewhere: {
    status: 409,
    text: ({ cell }: { cell: string }) => `The workspace is moving to cell ${cell}`,
    hint: "complete that move, or cancel it with --back true",
  },
  move_under_way: {
    status: 409,
    text: `Another command is moving this workspace. It was active in the last ${moveLimits.moverSeconds} seconds`,
    hint: `if that command has stopped, try again in ${moveLimits.moverSeconds} seconds`,
  },
  move_goes_back: {
    status: 409,
    text: "This move is being canceled",
    hint: "to continue, run the command with --back true",
  },
  move_not_begun: { status: 409, text: "This workspace is not moving" },
  move_switched: {
    status: 409,
    text: "The workspace has switched to its new cell, so this move cannot be canceled",
    hint: "run the command without --back to finish the move, and then move the workspace back to its first cell",
  },
  move_no_room: {
    status: 409,
    text: ({ cell, state }: { cell: string; state: string }) =>
      `Cell ${cell} is ${state}, so it does not accept workspaces`,
  },
  move_cells_differ: {
    status: 409,
    text: ({ what }: { what: string }) => `The two cells have different ${what}`,
    hint: "a workspace can only move between cells that have the same migrations, keys and plan",
  },
  move_of_erased: {
    status: 409,
    text: "This workspace is being erased",
    hint: "complete the erasure instead",
  },
  move_differs: {
    status: 409,
    text: ({ tables }: { tables: readonly string[] }) =>
      `The copy in the new cell differs in ${tables.join(", ")}`,
    hint: "cancel the move with --back true; the workspace keeps working in its first cell",
  },
} as const satisfies Record<string, RefusalEntry>;
