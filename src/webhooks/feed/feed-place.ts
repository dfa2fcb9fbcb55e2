/** The position after an event of the feed, and the two numbers that a cursor hides of it. */
export interface FeedPlace {
  /** In the order of commit. */
  sequence: number;
  /**
   * The event's time, since after a restore of the database another event may have its number. Empty if not
   * known.
   */
  at: string;
  /** The start of the event's id, since an import gives the event another number. Empty if not known. */
  idStart: string;
}

/** Before all events. */
export const firstPlace: FeedPlace = { sequence: 0, at: "", idStart: "" };

export const idStartDigits = 5;

/**
 * A second number of 2^52 or more encodes the start of an id and a 32-bit sequence; a smaller one is only a
 * sequence.
 */
const [sequences, idStarts] = [2 ** 32, 16 ** idStartDigits];

const idStartOf = (id: string): string => id.slice(0, idStartDigits);

export const placeOfEvent = (event: { sequence: number; id: string; created_at: string }): FeedPlace => ({
  sequence: event.sequence,
  at: event.created_at,
  idStart: /^[0-9a-f]+$/.test(idStartOf(event.id)) ? idStartOf(event.id) : "",
});

/** The previous release reads the second number as a sequence that no event has, and continues from the time. */
export function numbersOf({ sequence, at, idStart }: FeedPlace): [atMs: number, event: number] {
  const atMs = at === "" ? 0 : Date.parse(at);
  if (idStart === "") return [atMs, sequence];
  const known = sequence < sequences ? sequence : 0;
  return [atMs, (idStarts + Number.parseInt(idStart, 16)) * sequences + known];
}

/** Null if these are not the numbers of a cursor. */
export function placeFrom(atMs: number, event: number): FeedPlace | null {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return null;
  const idStart = Math.floor(event / sequences) - idStarts;
  return {
    sequence: idStart < 0 ? event : event % sequences,
    at: atMs === 0 ? "" : at.toISOString(),
    idStart: idStart < 0 ? "" : idStart.toString(16).padStart(idStartDigits, "0"),
  };
}
