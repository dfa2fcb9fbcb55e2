/** How many rows a step takes at most, and how many steps there are at most. */
interface BatchLimits {
  maxRows: number;
  maxBatches: number;
}

/**
 * Repeats a bounded step until one takes fewer rows than it could, or the rounds are over; the next call takes what is
 * left. Answers with how many rows were taken.
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
