/** Messages between the front and the two cells of a move (docs/design/cells.md). */

export const moveLimits = {
  /** A mover seen within this time is still active, so no other one may continue the move. */
  moverSeconds: 15,
  /** If the mover was not seen for this long, the cron opens the workspace again. */
  silentFenceSeconds: 60,
  /** If the mover was not seen for this long, the cron cancels the move. */
  silentMoveSeconds: 3_600,
  /**
   * No delivery is loaded for this long before the fence. One that was loaded before starts within a second; the check
   * of its address takes at most 2 s and its POST 5 s, and it can still be recorded.
   */
  quietSeconds: 10,
  /** Rows of a table that are copied together, at most 8 MB. */
  pageRows: 100,
  /** Tables that are copied together, and rows of each except the first. */
  pageTables: 12,
  fewRows: 20,
  /** Changed rows that are copied together. */
  changedRows: 300,
  /** Rows that are compared in one call, and in each of its queries; smaller tables are compared together. */
  summedRows: 20_000,
  summedPageRows: 1_000,
  fewSummedRows: 100,
  /** Images per list, and the maximum size of an image. A call may pass 32 MB. */
  listedImages: 500,
  imageBytes: 25 * 1024 * 1024,
  /** Rows compared in a second while writes wait, and the seconds that everything else takes. */
  summedRowsPerSecond: 20_000,
  leastPauseSeconds: 3,
  /** How long the front works before it reports its progress. */
  stepMs: 1_000,
  /** Within this time, a cell's isolates write their finished requests to the log. */
  lateLogMs: 2_500,
  /** How long the front holds a request while its workspace switches, so that reads pause for at most 5 s. */
  holdMs: 4_000,
} as const;

/** A move can be canceled before `switching`. From then on, it can only be finished. */
export type MoveState = "copying" | "quiet" | "closed" | "switching" | "switched" | "back";

/** Where a copy continues: in a table, after a key. `table` null: all tables are copied. */
export interface CopyPosition {
  /** Increases with each page, so that each page is applied once. */
  round: number;
  table: string | null;
  after: readonly unknown[];
}

export interface CopiedPage {
  table: string;
  rows: readonly Record<string, unknown>[];
  digest: string;
}

/** A batch of a workspace's rows for its copy. */
export interface MovePart {
  gone: readonly { table: string; keys: readonly unknown[][] }[];
  changed: readonly CopiedPage[];
  pages: readonly CopiedPage[];
  next: Omit<CopyPosition, "round">;
  /** The noted changes that this part contains; the next call passes them back. */
  done: readonly unknown[][];
}

/** An intermediate result of the comparison: the sums of the tables so far. */
export interface TableSums {
  /** By table, the number of rows and the sum of their digests. */
  sums: Readonly<Record<string, readonly [rows: number, digest: string]>>;
  next: { table: string; rows: number; digest: string; after: readonly unknown[] } | null;
}

interface MovedImage {
  path: string;
  /** The same for images with the same bytes. */
  mark: string;
}

/** What both cells must have in common, and whether a cell has room. */
export interface CellFacts {
  name: string;
  state: "open" | "full" | "closed";
  migration: string;
  keys: string;
  plans: Readonly<Record<string, string>>;
}

/** A move as the source cell stores it. */
export interface OngoingMove {
  id: string;
  slug: string;
  to: string;
  state: MoveState;
  since: string;
  silentSeconds: number;
  actor: string;
  operator: string;
}

export interface Leftover {
  kind: string;
  count: number;
}

type WithMover<T = object> = T & { id: string; mover: string };

/** The steps of a move by name, with the input and result of each. */
export interface MoveSteps {
  cell: [object, CellFacts];
  underWay: [{ id?: string }, { moves: OngoingMove[] }];

  /** In the source cell. */
  take: [WithMover, object];
  read: [WithMover<{ position: CopyPosition; hasPages: boolean; done: readonly unknown[][] }>, MovePart];
  quiet: [WithMover, object];
  close: [WithMover, { isClosed: boolean }];
  hide: [WithMover<{ since: string; differs: readonly string[] }>, { isHidden: boolean }];
  readImage: [
    { path: string },
    { image: { bytes: Uint8Array; contentType: string | null; sha256: string | null } | null },
  ];
  readKept: [WithMover<{ afterId: number }>, { lines: string[]; next: number | null }];
  factsOf: [WithMover, { facts: unknown; now: string }];
  lateRequests: [WithMover<{ since: string }>, { requests: unknown[] }];
  eraseSource: [WithMover, { isDone: boolean }];
  settle: [WithMover, object];
  goBack: [WithMover, object];
  end: [WithMover, object];

  /** In the destination cell. */
  openCopy: [
    WithMover<{ from: string; slug: string; actor: string; operator: string }>,
    { position: CopyPosition; isDone: boolean },
  ];
  apply: [
    WithMover<{ position: CopyPosition; part: MovePart; isReversed: boolean }>,
    { position: CopyPosition; isLate: boolean },
  ];
  putImage: [
    WithMover<{ path: string; bytes: Uint8Array; contentType: string | null; sha256: string | null }>,
    object,
  ];
  dropImages: [WithMover<{ paths: readonly string[] }>, object];
  keepKept: [WithMover<{ lines: readonly string[]; isFirst: boolean }>, object];
  finish: [WithMover<{ facts: unknown; notBefore: string; from: string; to: string }>, { isEarly: boolean }];
  addRequests: [WithMover<{ requests: unknown[] }>, object];
  discard: [{ id: string }, { isDone: boolean }];

  /** In both cells. */
  sums: [WithMover<{ next: TableSums["next"] }>, TableSums];
  images: [WithMover<{ after: string }>, { images: MovedImage[]; next: string | null }];
  leftovers: [{ id: string }, { leftovers: Leftover[] }];
}
