import { dayMs, minuteMs } from "../../contract/durations.ts";

const makeFormats = () => ({
  day: new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }),
  short: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }),
  shortest: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  thisYear: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" }),
  minute: new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" }),
  second: new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" }),
});
/** Built when a page first needs them, because building them took half of the Worker's start-up time. */
let formats: ReturnType<typeof makeFormats> | undefined;

/** Formats a time in UTC to the second, for the tooltip of times in other formats. */
function inFull(date: Date): string {
  formats ??= makeFormats();
  return `${formats.day.format(date)}, ${formats.second.format(date)} UTC`;
}

/** A day with its year. `exact` adds the time in UTC. */
export const When = ({ at, exact = false }: { at: string; exact?: boolean }) => {
  formats ??= makeFormats();
  const { day, minute } = formats;
  const date = new Date(at);
  const text = exact ? `${day.format(date)}, ${minute.format(date)} UTC` : day.format(date);
  return <time datetime={at}>{text}</time>;
};

export const ShortDay = ({ at }: { at: string }) => {
  formats ??= makeFormats();
  return <time datetime={at}>{formats.short.format(new Date(at))}</time>;
};

/** Formats a day for a chart axis that covers recent months. */
export function dayTick(day: string): string {
  formats ??= makeFormats();
  return formats.shortest.format(new Date(day));
}

/** Formats a time within a day of now as relative to now. Returns undefined for any other time. */
function relative(date: Date, now: Date): string | undefined {
  const ms = now.getTime() - date.getTime();
  if (Math.abs(ms) < minuteMs) return ms < 0 ? "in a moment" : "just now";
  if (Math.abs(ms) >= dayMs) return undefined;
  const minutes = Math.round(Math.abs(ms) / minuteMs);
  const text = minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

interface AgoOptions {
  at: string | null;
  /** Shown if `at` is null. */
  never?: string;
  now?: Date;
}

/** A time in a list: relative within a day, otherwise absolute. A script converts absolute times to local time. */
export const Ago = ({ at, never = "never", now = new Date() }: AgoOptions) => {
  if (at === null) return <span class="muted">{never}</span>;
  const date = new Date(at);
  const text = relative(date, now);
  return text ? (
    <time datetime={at} title={inFull(date)}>
      {text}
    </time>
  ) : (
    <Minute at={at} now={now} />
  );
};

/** A day as a heading: `Today`, `Yesterday` or the date. */
export const Day = ({ day, now = new Date() }: { day: string; now?: Date }) => {
  formats ??= makeFormats();
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, "2026-01-31".length);
  if (day === dayOf(now.getTime())) return <>Today</>;
  if (day === dayOf(now.getTime() - dayMs)) return <>Yesterday</>;
  const isThisYear = day.startsWith(String(now.getUTCFullYear()));
  return <>{(isThisYear ? formats.thisYear : formats.day).format(new Date(day))}</>;
};

export const Minute = ({ at, now = new Date() }: { at: string; now?: Date }) => {
  formats ??= makeFormats();
  const date = new Date(at);
  const isThisYear = date.getUTCFullYear() === now.getUTCFullYear();
  const day = (isThisYear ? formats.thisYear : formats.day).format(date);
  return (
    <time datetime={at} title={inFull(date)} data-local="minute">
      {day}, {formats.minute.format(date)} UTC
    </time>
  );
};

/** Only the time, for use next to its day. */
export const Clock = ({ at }: { at: string }) => {
  formats ??= makeFormats();
  const date = new Date(at);
  return (
    <time datetime={at} title={inFull(date)} data-local="clock">
      {formats.minute.format(date)} UTC
    </time>
  );
};
