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
  /** Whether more is better, as with deliveries. For usage, less is better. */
  isGood?: boolean;
}

/** A bar for a share of a whole. Color and text warn when a limit is almost used up. */
export const Meter = ({ label, used, of, isGood = false }: MeterOptions) => {
  const part = of > 0 ? Math.min(1, used / of) : 1;
  const fullness = part >= 1 ? "bad" : part >= nearlyFull ? "warn" : "a";
  const goodness = part >= nearlyFull ? "good" : part >= 0.5 ? "warn" : "bad";
  return (
    <svg class="meter" role="img" aria-label={label}>
      <rect width="100%" height="100%" />
      <rect
        class={`fill-${isGood ? goodness : fullness}`}
        width={`${(part * 100).toFixed(1)}%`}
        height="100%"
        rx="4"
      />
    </svg>
  );
};
