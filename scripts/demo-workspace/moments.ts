import type { Moment } from "./document.ts";

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

export const team = {
  ida: "owner@lumen.example",
  jonas: "jonas@lumen.example",
  priya: "priya@lumen.example",
  noor: "noor@lumen.example",
} as const;

export interface Moments {
  /** The date this many days from now: `-3` is three days ago. */
  day(days: number): string;
  /** A time on a day at least two days ago, so it is in the past in every time zone. */
  at(days: number, time: string): Moment;
  /** For recent events: maps hours to working hours, so that nobody appears to work at night. */
  hoursAgo(hours: number): Moment;
}

export function momentsBefore(now: Date): Moments {
  const day = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  return {
    day,
    at: (days, time) => `${day(days)}T${time}:00.000Z`,
    hoursAgo: (hours) => inWorkingHours(now, hours).toISOString(),
  };
}

/** The hours are in UTC. Any 24-hour period contains each working hour once. */
const workingHours = { from: 7, to: 18 };

/** This many hours ago, counting only working hours. A day of them counts as 24 hours. */
function inWorkingHours(now: Date, hours: number): Date {
  const { from, to } = workingHours;
  let leftMs = (hours / 24) * (to - from) * hourMs;
  for (let dayStartMs = Math.floor(now.getTime() / dayMs) * dayMs; ; dayStartMs -= dayMs) {
    const endsMs = Math.min(now.getTime(), dayStartMs + to * hourMs);
    const workedMs = Math.max(0, endsMs - (dayStartMs + from * hourMs));
    if (leftMs <= workedMs) return new Date(endsMs - leftMs);
    leftMs -= workedMs;
  }
}
