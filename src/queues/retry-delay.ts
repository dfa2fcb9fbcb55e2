/**
 * How long a message waits before its next attempt: 5 s, doubled each time, up to three hours. A hundred
 * attempts take eleven days, less than the queue keeps a message; then it goes to the dead-letter queue.
 */
const firstDelaySeconds = 5;
const maxDelaySeconds = 10_800;

export const retryDelaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** (attempts - 1), maxDelaySeconds);
