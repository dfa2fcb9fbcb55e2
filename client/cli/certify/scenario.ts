import type { ReceiverAnswer } from "../delivery.ts";
import { visible } from "../visible.ts";
import { isAccepted, type Receiver } from "./receiver.ts";

export interface CertifyCase {
  /** Its name in `--json`. */
  name: string;
  /** What a good receiver does. */
  title: string;
  /** What would go wrong in production otherwise. */
  why: string;
  /** What happened instead; undefined if the expectation held. */
  run(receiver: Receiver): Promise<string | undefined>;
}

/** A 2xx; anything else is retried or given up. */
export const taken = (answer: ReceiverAnswer): string | undefined =>
  isAccepted(answer) ? undefined : `expected a 2xx, got ${shown(answer)}`;

/** A 4xx, so that a forger is not asked to retry and cannot break anything. */
export const refused = (answer: ReceiverAnswer): string | undefined =>
  answer.status !== null && answer.status >= 400 && answer.status < 500
    ? undefined
    : `expected a 4xx, got ${shown(answer)}`;

const shown = ({ status, text, latencyMs }: ReceiverAnswer) => {
  const said = visible(text.slice(0, 80));
  return status === null ? `nothing after ${latencyMs} ms (${said})` : `${status} ${said}`.trim();
};
