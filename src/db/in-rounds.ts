/** How many rows a step takes at most, and how many steps there are at most. */
export interface RoundLimits {
  most: number;
  rounds: number;
}

/**
 * Repeats a bounded step until one takes fewer rows than it could, or the rounds are over: what is left then is for the
 * next call. Answers with how many rows were taken.
 */
export async function inRounds({ most, rounds }: RoundLimits, step: () => Promise<number>): Promise<number> {
  let taken = 0;
  for (let round = 0; round < rounds; round += 1) {
    const took = await step();
    taken += took;
    if (took < most) break;
  }
  return taken;
}
