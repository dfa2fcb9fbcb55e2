/**
 * How long a message waits for its next attempt: 5 s, doubled each time, at most three hours. A hundred attempts take
 * eleven days, less than the queue keeps a message; then it goes to the queue's dead letters.
 */
const firstDelaySeconds = 5;
const maxDelaySeconds = 10_800;

export const retryDelaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** (attempts - 1), maxDelaySeconds);
