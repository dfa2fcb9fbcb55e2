import { median, type Spread } from "./load.ts";

export interface Measured extends Spread {
  perSecond: number;
  cpuMsEach: number;
}

interface Contender {
  name: string;
  measure(seconds: number): Promise<Measured>;
}

/** The medians over all rounds, the slowest request, and each round's ratio to the last contender. */
export interface Standing extends Measured {
  name: string;
  ratio: number;
  cpuRatio: number;
}

/** Runs the contenders in rotation; each round starts with a different one (A B, B A, …). */
export async function compete(
  contenders: readonly Contender[],
  { rounds, seconds, progress }: { rounds: number; seconds: number; progress: (text: string) => void },
): Promise<Standing[]> {
  const measured = contenders.map((): Measured[] => []);
  for (const contender of contenders) await contender.measure(1);
  for (let round = 0; round < rounds; round += 1) {
    for (let offset = 0; offset < contenders.length; offset += 1) {
      const index = (round + offset) % contenders.length;
      progress(`round ${round + 1}/${rounds}: ${contenders[index]?.name}`);
      const measurement = await contenders[index]?.measure(seconds);
      if (measurement) measured[index]?.push(measurement);
    }
  }
  const baseline = measured.at(-1) ?? [];
  return contenders.map(({ name }, index) => {
    const own = measured[index] ?? [];
    const against = (figure: keyof Measured) =>
      median(own.map((one, round) => one[figure] / (baseline[round]?.[figure] ?? Number.NaN)));
    return {
      name,
      perSecond: median(own.map((one) => one.perSecond)),
      p50Ms: median(own.map((one) => one.p50Ms)),
      p99Ms: median(own.map((one) => one.p99Ms)),
      longestMs: Math.max(...own.map((one) => one.longestMs)),
      cpuMsEach: median(own.map((one) => one.cpuMsEach)),
      ratio: against("perSecond"),
      cpuRatio: against("cpuMsEach"),
    };
  });
}
