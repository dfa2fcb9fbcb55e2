/** The most rows a step takes, and the most steps. */
interface BatchLimits {
  maxRows: number;
  maxBatches: number;
}

/**
 * Repeats a bounded step until one takes fewer rows than it could, or the rounds are used up; the next call takes what
 * is left. Returns how many rows were taken.
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
