import { type Used, units } from "./prices.ts";

/** One row of the table, with a contender's results in a scenario. Missing values were not measured. */
export interface Line {
  scenario: string;
  contender: string;
  perSecond?: number;
  /** Requests per second relative to the baseline (median over the rounds). */
  ratio?: number;
  p50Ms?: number;
  p99Ms?: number;
  longestMs?: number;
  cpuMs?: number;
  /** CPU per request relative to the baseline (median over the rounds). */
  cpuRatio?: number;
  /** Round trips to D1 and to the coordinator before the response. */
  trips?: string;
  rowsRead?: number;
  rowsWritten?: number;
  /** Database size per record, including indexes and everything else written with it. */
  bytes?: number;
}

/** A promised limit, and whether this run met it. */
export interface Promised {
  promise: string;
  figure: number;
  kept: boolean;
}

/** Billed units per request or delivery, and the price of a million. */
export interface Bill {
  name: string;
  used: Used;
  price: number;
}

export interface Report {
  lines: Line[];
  bills?: Bill[];
  promises: Promised[];
}

export const atLeast = (promise: string, figure: number, min: number): Promised => ({
  promise: `${promise} >= ${min}`,
  figure,
  kept: figure >= min,
});

export const atMost = (promise: string, figure: number, max: number): Promised => ({
  promise: `${promise} <= ${max}`,
  figure,
  kept: figure <= max,
});

const fixed = (digits: number) => (value?: number) => (value === undefined ? "" : value.toFixed(digits));

const columns: { title: string; cell(line: Line): string }[] = [
  { title: "scenario", cell: ({ scenario }) => scenario },
  { title: "contender", cell: ({ contender }) => contender },
  { title: "requests/s", cell: ({ perSecond }) => fixed(0)(perSecond) },
  { title: "ratio", cell: ({ ratio }) => fixed(2)(ratio) },
  { title: "p50 ms", cell: ({ p50Ms }) => fixed(2)(p50Ms) },
  { title: "p99 ms", cell: ({ p99Ms }) => fixed(2)(p99Ms) },
  { title: "longest ms", cell: ({ longestMs }) => fixed(0)(longestMs) },
  { title: "CPU ms each", cell: ({ cpuMs }) => fixed(3)(cpuMs) },
  { title: "CPU ratio", cell: ({ cpuRatio }) => fixed(2)(cpuRatio) },
  { title: "trips", cell: ({ trips }) => trips ?? "" },
  { title: "rows read", cell: ({ rowsRead }) => fixed(0)(rowsRead) },
  { title: "rows written", cell: ({ rowsWritten }) => fixed(0)(rowsWritten) },
  { title: "bytes", cell: ({ bytes }) => fixed(0)(bytes) },
];

export function markdownTable(lines: readonly Line[]): string {
  const rows = [
    columns.map(({ title }) => title),
    ...lines.map((line) => columns.map(({ cell }) => cell(line))),
  ];
  return aligned(rows, 2);
}

export const billsTable = (bills: readonly Bill[]): string =>
  aligned(
    [
      ["each uses", ...bills.map(({ name }) => name)],
      ...units.map((unit) => [unit, ...bills.map(({ used }) => String(round(used[unit])))]),
      ["$ a million", ...bills.map(({ price }) => price.toFixed(2))],
    ],
    1,
  );

export const promisesOf = (promises: readonly Promised[]): string =>
  aligned(
    promises.map(({ promise, figure, kept }) => [kept ? "kept" : "BROKEN", String(round(figure)), promise]),
    0,
  );

export const round = (figure: number): number => Number(figure.toPrecision(4));

function aligned(rows: readonly (readonly string[])[], textColumns: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < textColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
