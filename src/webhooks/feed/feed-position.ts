/** The position after an event in the feed. A cursor encodes it as two numbers. */
export interface FeedPosition {
  /** The event's number, in commit order. */
  sequence: number;
  /** The event's time, because after a restore another event may have its number. Empty if unknown. */
  at: string;
  /** The start of the event's id, because an import gives the event another number. Empty if unknown. */
  idStart: string;
}

/** Before all events. */
export const feedStart: FeedPosition = { sequence: 0, at: "", idStart: "" };

export const idStartDigits = 5;

/** A second number of at least 2^52 encodes the start of an id and a 32-bit sequence; a smaller one is a sequence. */
const [sequences, idStarts] = [2 ** 32, 16 ** idStartDigits];

const idStartOf = (id: string): string => id.slice(0, idStartDigits);

export const positionOfEvent = (event: {
  sequence: number;
  id: string;
  created_at: string;
}): FeedPosition => ({
  sequence: event.sequence,
  at: event.created_at,
  idStart: /^[0-9a-f]+$/.test(idStartOf(event.id)) ? idStartOf(event.id) : "",
});

/** The previous release takes the second number for a sequence that no event has, so it continues from the time. */
export function numbersOf({ sequence, at, idStart }: FeedPosition): [atMs: number, event: number] {
  const atMs = at === "" ? 0 : Date.parse(at);
  if (idStart === "") return [atMs, sequence];
  const known = sequence < sequences ? sequence : 0;
  return [atMs, (idStarts + Number.parseInt(idStart, 16)) * sequences + known];
}

/** Decodes the position from a cursor's two numbers; null if no cursor has these numbers. */
export function positionFrom(atMs: number, event: number): FeedPosition | null {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return null;
  const idStart = Math.floor(event / sequences) - idStarts;
  return {
    sequence: idStart < 0 ? event : event % sequences,
    at: atMs === 0 ? "" : at.toISOString(),
    idStart: idStart < 0 ? "" : idStart.toString(16).padStart(idStartDigits, "0"),
  };
}
