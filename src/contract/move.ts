/** Messages between the front and the two cells that take part in a move (docs/design/cells.md). */

export const moveLimits = {
  /** A mover seen within this time is still active, so no other mover may continue the move. */
  moverSeconds: 15,
  /** If the mover has been silent for this long, the cron reopens the workspace. */
  silentFenceSeconds: 60,
  /** If the mover has been silent for this long, the cron cancels the move. */
  silentMoveSeconds: 3_600,
  /**
   * How long before the fence no more deliveries are loaded. A delivery loaded earlier starts within a second. Its
   * address check takes at most 2 s and its POST 5 s, so it can still be recorded.
   */
  quietSeconds: 10,
  /** Rows copied per call from one table, at most 8 MB. */
  pageRows: 100,
  /** Tables copied per call. `pageRows` applies to the first; this many rows are copied from each of the others. */
  pageTables: 12,
  fewRows: 20,
  /** Changed rows copied per call. */
  changedRows: 300,
  /** The number of rows compared per call, and per query within a call. Smaller tables share a query. */
  summedRows: 20_000,
  summedPageRows: 1_000,
  fewSummedRows: 100,
  /** Overrides `summedPageRows` for tables with rows up to 80 KB. */
  summedPageRowsOf: { scope_request_evidence: 250, requests: 250 } as Readonly<Record<string, number>>,
  /** Images per list, and the maximum size of an image. An RPC call can pass 32 MB. */
  listedImages: 500,
  imageBytes: 25 * 1024 * 1024,
  /** Estimates how long writes wait: rows compared per second, plus a fixed number of seconds for everything else. */
  summedRowsPerSecond: 20_000,
  leastPauseSeconds: 3,
  /** How long the front works between progress reports. */
  stepMs: 1_000,
  /** Within this time, a cell's isolates write their finished requests to the log. */
  lateLogMs: 2_500,
  /** How long the front holds requests to a workspace during its switch. This keeps the pause for reads under 5 s. */
  holdMs: 4_000,
} as const;

/** A move can be canceled until `switching`. After that, it can only be finished. */
export type MoveState = "copying" | "quiet" | "closed" | "switching" | "switched" | "back";

/** Where a copy continues: the table, and the key to start after. A null table means that all tables are copied. */
export interface CopyPosition {
  /** Increases with each page, so that each page is applied only once. */
  round: number;
  table: string | null;
  after: readonly unknown[];
}

export interface CopiedPage {
  table: string;
  rows: readonly Record<string, unknown>[];
  digest: string;
}

/** A batch of rows copied to the destination. */
export interface MovePart {
  gone: readonly { table: string; keys: readonly unknown[][] }[];
  changed: readonly CopiedPage[];
  pages: readonly CopiedPage[];
  next: Omit<CopyPosition, "round">;
  /** The recorded changes that this part contains. The next call passes them back. */
  done: readonly unknown[][];
}

/** Partial result of a comparison: the sums for the tables so far. */
export interface TableSums {
  /** By table, the number of rows and the sum of their digests. */
  sums: Readonly<Record<string, readonly [rows: number, digest: string]>>;
  next: { table: string; rows: number; digest: string; after: readonly unknown[] } | null;
}

interface MovedImage {
  path: string;
  /** A marker that is the same for images with the same bytes. */
  mark: string;
}

/** What the two cells must agree on, and whether a cell has room. */
export interface CellFacts {
  name: string;
  state: "open" | "full" | "closed";
  migration: string;
  keys: string;
  plans: Readonly<Record<string, string>>;
}

/** A move as stored in the source cell. */
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

/** The steps of a move, with the input and result of each. */
export interface MoveSteps {
  cell: [object, CellFacts];
  underWay: [{ id?: string }, { moves: OngoingMove[] }];

  /** Steps in the source cell. */
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

  /** Steps in the destination cell. */
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
  publishLinks: [WithMover, object];
  keepKept: [WithMover<{ lines: readonly string[]; isFirst: boolean }>, object];
  finish: [WithMover<{ facts: unknown; notBefore: string; from: string; to: string }>, { isEarly: boolean }];
  addRequests: [WithMover<{ requests: unknown[] }>, object];
  discard: [{ id: string }, { isDone: boolean }];

  /** Steps in both cells. */
  sums: [WithMover<{ next: TableSums["next"] }>, TableSums];
  images: [WithMover<{ after: string }>, { images: MovedImage[]; next: string | null }];
  leftovers: [{ id: string }, { leftovers: Leftover[] }];
}
