/** The most rows per step, and the most steps. */
interface BatchLimits {
  maxRows: number;
  maxBatches: number;
}

/**
 * Repeats a bounded step until one handles fewer rows than it could, or the rounds are used up; the next call
 * handles the rest. Returns the number of rows handled.
 */
export async function inBatches(
  { maxRows, maxBatches }: BatchLimits,
  step: () => Promise<number>,
): Promise<number> {
  let taken = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const took = await step();
    taken += took;
    if (took < maxRows) break;
  }
  return taken;
}
