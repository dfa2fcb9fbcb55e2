import type { Child } from "hono/jsx";

export type Tone = "neutral" | "good" | "warn" | "bad" | "link";

/** A status in a word or two. */
export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
