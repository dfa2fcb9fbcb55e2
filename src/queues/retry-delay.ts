/**
 * A message waits 5 s before its first retry and twice as long before each further one, up to three hours. A hundred
 * attempts take eleven days, which is within the queue's retention. After that, the message goes to the dead-letter
 * queue.
 */
const firstDelaySeconds = 5;
const maxDelaySeconds = 10_800;

export const retryDelaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** (attempts - 1), maxDelaySeconds);
