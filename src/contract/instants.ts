import { dayMs } from "./durations.ts";

/** Parses timestamps and calendar days (contract T2, T3, L5). */

/** In a query string, an unescaped `+` decodes to a space, so a space before the offset is accepted too. */
const isoTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+ -]\d\d(?::?\d\d)?)$/;

/** Excludes year 0, which databases and languages treat differently. */
export function isCalendarDay(text: string): boolean {
  return (
    /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
  );
}

/** Returns the calendar day of a timestamp at its own offset. 24:00 belongs to the next day, if that day exists. */
export function dayOf(moment: string): string {
  const local = moment.slice(0, "2026-01-31T09:30".length);
  return (toUtc(`${local}Z`) ?? local).slice(0, "2026-01-31".length);
}

export function toUtc(text: string): string | null {
  if (!isoTimestamp.test(text) || !isCalendarDay(text.slice(0, 10))) return null;
  const [, local = "", sign = "", hours = "", minutes = "00"] =
    /^(.*?)(?:Z|([+ -])(\d\d):?(\d\d)?)$/.exec(text.replace(",", ".")) ?? [];
  const offset = sign === "" ? "Z" : `${sign === "-" ? "-" : "+"}${hours}:${minutes}`;
  const time = Date.parse(local + offset);
  const year = Number.isNaN(time) ? 0 : new Date(time).getUTCFullYear();
  return year >= 1 && year <= 9999 ? new Date(time).toISOString() : null;
}

const isoInstant =
  /^(?<date>\d{4}(?<dash>-?)(?:\d\d\k<dash>\d\d|W\d\d\k<dash>[1-7]|\d{3}))(?:T(?<hours>\d\d)(?:(?<colon>:?)(?<minutes>\d\d)(?:\k<colon>(?<seconds>\d\d)(?:[.,](?<digits>\d+))?)?)?(?<offset>Z|[+ -]\d\d(?::?\d\d)?)?)?$/;

export function toInstant(text: string): string | null {
  const {
    date,
    hours = "00",
    minutes = "00",
    seconds = "00",
    digits = "",
    offset = "Z",
  } = isoInstant.exec(text)?.groups ?? {};
  const day = date === undefined ? null : toCalendarDay(date.replaceAll("-", ""));
  if (day === null) return null;
  const isLeapSecond = seconds === "60";
  const milliseconds = digits.slice(0, 3).padEnd(3, "0");
  const utc = toUtc(`${day}T${hours}:${minutes}:${isLeapSecond ? "59" : seconds}.${milliseconds}${offset}`);
  if (utc === null) return null;
  const moreMs = (isLeapSecond ? 1000 : 0) + (/[1-9]/.test(digits.slice(3)) ? 1 : 0);
  const instant = new Date(Date.parse(utc) + moreMs).toISOString();
  return instant.startsWith("+") ? null : instant;
}

/** Returns the calendar day of a basic date: `20260131`, the ordinal `2026031` or the week date `2026W056`. */
function toCalendarDay(date: string): string | null {
  const [, year = "", rest = ""] = /^(\d{4})(.*)$/.exec(date) ?? [];
  if (rest.startsWith("W")) return dayOfWeek(year, Number(rest.slice(1, 3)), Number(rest.slice(3)));
  if (rest.length === "0131".length) return `${year}-${rest.slice(0, 2)}-${rest.slice(2)}`;
  const day = dayAfter(`${year}-01-01`, Number(rest) - 1);
  return day?.startsWith(year) ? day : null;
}

/**
 * Returns the calendar day of a weekday in a week. Week 1 contains 4 January; a week belongs to the year of its
 * Thursday.
 */
function dayOfWeek(year: string, week: number, weekday: number): string | null {
  const fourth = `${year}-01-04`;
  const monday = (week - 1) * 7 - ((new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7);
  return dayAfter(fourth, monday + 3)?.startsWith(year) ? dayAfter(fourth, monday + weekday - 1) : null;
}

function dayAfter(day: string, days: number): string | null {
  return (
    new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toJSON()?.slice(0, "2026-01-31".length) ?? null
  );
}
