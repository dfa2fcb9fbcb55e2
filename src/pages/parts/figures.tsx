import type { Child } from "hono/jsx";

interface Figure {
  name: string;
  value: Child;
  /** Shown below the figure. */
  detail?: Child;
}

/** Formats a count that is capped at `max`, such as `50+`. */
export const upTo = (count: number, max: number): string => `${count}${count < max ? "" : "+"}`;

/** Several figures side by side. */
export const Stats = ({ figures }: { figures: readonly Figure[] }) => (
  <dl class="stats">
    {figures.map(({ name, value, detail }) => (
      <div>
        <dt>{name}</dt>
        <dd>
          {value}
          {detail && <small>{detail}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

/** Names and values, one pair per line. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd dir="auto">{value}</dd>
      </>
    ))}
  </dl>
);

const nearlyFull = 0.8;

interface MeterOptions {
  label: string;
  used: number;
  of: number;
  /** Progress is neutral, more of a success rate is better, and less usage is better. */
  kind: "progress" | "rate" | "usage";
}

/** A bar for a share of a whole. Color and text warn when a limit is almost used up. */
export const Meter = ({ label, used, of, kind }: MeterOptions) => {
  const part = of > 0 ? Math.min(1, used / of) : 1;
  const fill = {
    progress: "a",
    rate: part >= nearlyFull ? "good" : part >= 0.5 ? "warn" : "bad",
    usage: part >= 1 ? "bad" : part >= nearlyFull ? "warn" : "a",
  }[kind];
  return (
    <svg class="meter" role="img" aria-label={label}>
      <rect width="100%" height="100%" />
      <rect class={`fill-${fill}`} width={`${(part * 100).toFixed(1)}%`} height="100%" rx="4" />
    </svg>
  );
};
