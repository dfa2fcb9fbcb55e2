/** Messages between the front and two cells while a workspace moves (docs/design/cells.md). */

export const moveLimits = {
  /** A mover that was seen within this time is at work, so no other may continue the move. */
  moverSeconds: 15,
  /** After this time without its mover, the cron opens a workspace again. */
  silentFenceSeconds: 60,
  /** After this time without its mover, the cron takes a move back. */
  silentMoveSeconds: 3_600,
  /** For this long before the fence, no delivery begins: a POST takes at most 5 s, and is then recorded. */
  quietSeconds: 6,
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
  /** Images in a list, and the size of an image: a call may pass 32 MB. */
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

/** Before `switching`, a move can be taken back; from then on, it can only be finished. */
export type MoveState = "copying" | "quiet" | "closed" | "switching" | "switched" | "back";

/** The position of a copy: it continues in a table after a key. `table` null: every table is copied. */
export interface CopyPosition {
  /** Grows with each page, so that each is applied once. */
  round: number;
  table: string | null;
  after: readonly unknown[];
}

export interface CopiedPage {
  table: string;
  rows: readonly Record<string, unknown>[];
  /** Of these rows. */
  digest: string;
}

/** Some rows of a workspace for its copy. */
export interface MovePart {
  gone: readonly { table: string; keys: readonly unknown[][] }[];
  changed: readonly CopiedPage[];
  pages: readonly CopiedPage[];
  next: Omit<CopyPosition, "round">;
  /** The noted changes that this part contains; the next call passes them back. */
  done: readonly unknown[][];
}

/** A part of the comparison: sums of the tables so far. */
export interface TableSums {
  /** By table: how many rows, and the sum of their digests. */
  sums: Readonly<Record<string, readonly [rows: number, digest: string]>>;
  next: { table: string; rows: number; digest: string; after: readonly unknown[] } | null;
}

interface MovedImage {
  path: string;
  /** Equal for equal bytes. */
  mark: string;
}

/** What must be equal in both cells, and whether a cell has room. */
export interface CellFacts {
  name: string;
  state: "open" | "full" | "closed";
  migration: string;
  keys: string;
  plans: Readonly<Record<string, string>>;
}

/** A move as the old cell stores it. */
export interface MoveUnderWay {
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

type OfMover<T = object> = T & { id: string; mover: string };

/** The steps of a move by name, with the input and result of each. */
export interface MoveSteps {
  cell: [object, CellFacts];
  underWay: [{ id?: string }, { moves: MoveUnderWay[] }];

  /** In the cell that the workspace leaves. */
  take: [OfMover, { isTaken: boolean }];
  read: [OfMover<{ position: CopyPosition; hasPages: boolean; done: readonly unknown[][] }>, MovePart];
  quiet: [OfMover, object];
  close: [OfMover, { isClosed: boolean }];
  hide: [OfMover<{ since: string; differs: readonly string[] }>, { isHidden: boolean }];
  readImage: [
    { path: string },
    { image: { bytes: Uint8Array; contentType: string | null; sha256: string | null } | null },
  ];
  readKept: [OfMover<{ afterId: number }>, { lines: string[]; next: number | null }];
  factsOf: [OfMover, { facts: unknown; now: string }];
  lateRequests: [OfMover<{ since: string }>, { requests: unknown[] }];
  eraseSource: [OfMover, { isDone: boolean }];
  settle: [OfMover, object];
  goBack: [OfMover, object];
  end: [OfMover, object];

  /** In the cell that it comes to. */
  openCopy: [
    OfMover<{ from: string; slug: string; actor: string; operator: string }>,
    { position: CopyPosition; isDone: boolean },
  ];
  apply: [
    OfMover<{ position: CopyPosition; part: MovePart; isReversed: boolean }>,
    { position: CopyPosition; isLate: boolean },
  ];
  putImage: [
    OfMover<{ path: string; bytes: Uint8Array; contentType: string | null; sha256: string | null }>,
    object,
  ];
  dropImages: [OfMover<{ paths: readonly string[] }>, object];
  keepKept: [OfMover<{ lines: readonly string[]; isFirst: boolean }>, object];
  finish: [OfMover<{ facts: unknown; notBefore: string; from: string; to: string }>, { isEarly: boolean }];
  addRequests: [OfMover<{ requests: unknown[] }>, object];
  discard: [{ id: string }, { isDone: boolean }];

  /** In both. */
  sums: [OfMover<{ next: TableSums["next"] }>, TableSums];
  images: [OfMover<{ after: string }>, { images: MovedImage[]; next: string | null }];
  leftovers: [{ id: string }, { leftovers: Leftover[] }];
}
