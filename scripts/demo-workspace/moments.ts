import type { Moment } from "./document.ts";

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

export const team = {
  ida: "owner@lumen.example",
  jonas: "jonas@lumen.example",
  priya: "priya@lumen.example",
  noor: "noor@lumen.example",
} as const;

/** Days and moments relative to now. */
export interface Moments {
  /** A day, this many days from now: `-3` is three days ago. */
  day(days: number): string;
  /** A time of a day that is at least two days ago, so that it has passed everywhere. */
  at(days: number, time: string): Moment;
  /** For events of the last day. */
  hoursAgo(hours: number): Moment;
}

export function momentsBefore(now: Date): Moments {
  const day = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  return {
    day,
    at: (days, time) => `${day(days)}T${time}:00.000Z`,
    hoursAgo: (hours) => new Date(now.getTime() - hours * hourMs).toISOString(),
  };
}
