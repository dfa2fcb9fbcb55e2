interface BatchLimits {
  maxRows: number;
  maxBatches: number;
}

/**
 * Repeats a step until it handles fewer rows than it could, or `maxBatches` times. Returns the total number of rows.
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
