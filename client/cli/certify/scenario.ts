import type { ReceiverAnswer } from "../delivery.ts";
import { escapeControls } from "../escape-controls.ts";
import { isAccepted, type Receiver } from "./receiver.ts";

export interface CertifyCase {
  /** Its name in `--json`. */
  name: string;
  /** What a good receiver does. */
  title: string;
  /** What goes wrong in production if a receiver does not. */
  why: string;
  /** Returns what happened instead; undefined if the receiver passed. */
  run(receiver: Receiver): Promise<string | undefined>;
}

/** Expects a 2xx; after any other status the delivery is retried or fails. */
export const expectAccepted = (answer: ReceiverAnswer): string | undefined =>
  isAccepted(answer) ? undefined : `expected a 2xx, got ${shown(answer)}`;

/** Expects a 4xx: a 5xx would mean that a forged request breaks something. */
export const expectRefused = (answer: ReceiverAnswer): string | undefined =>
  answer.status !== null && answer.status >= 400 && answer.status < 500
    ? undefined
    : `expected a 4xx, got ${shown(answer)}`;

const shown = ({ status, text, latencyMs }: ReceiverAnswer) => {
  const said = escapeControls(text.slice(0, 80));
  return status === null ? `nothing after ${latencyMs} ms (${said})` : `${status} ${said}`.trim();
};
