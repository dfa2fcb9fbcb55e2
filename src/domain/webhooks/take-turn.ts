/** How much one turn may use. */
export interface TurnLimits {
  connections: number;
  turnMs: number;
  slowAttemptMs: number;
}

/** What came of a turn; every job is in exactly one of the four lists. */
export interface Turn<Job, Result> {
  finished: Result[];
  /** Under way when the turn ended. */
  straggling: { job: Job; result: Promise<Result> }[];
  unstarted: Job[];
  failed: { job: Job; error: unknown }[];
  /** Lines in which a job took, or has taken so far, longer than `slowAttemptMs`. */
  slowLines: ReadonlySet<string>;
}

interface Line<Job> {
  waiting: Job[];
  running: number;
}

/**
 * Runs jobs over a few connections until all are done or the turn is over, whichever is first. Jobs stand in lines (one
 * for each endpoint); a free connection goes to the line that uses the fewest, so that no line takes all while others
 * wait. The jobs of a line start in their order.
 */
export async function takeTurn<Job, Result>(
  jobs: readonly Job[],
  lineOf: (job: Job) => string,
  perform: (job: Job) => Promise<Result>,
  limits: TurnLimits,
): Promise<Turn<Job, Result>> {
  const lines = new Map<string, Line<Job>>();
  for (const job of jobs) {
    const line = lines.get(lineOf(job));
    if (line) line.waiting.push(job);
    else lines.set(lineOf(job), { waiting: [job], running: 0 });
  }
  for (const { waiting } of lines.values()) waiting.reverse();

  const finished: Result[] = [];
  const failed: { job: Job; error: unknown }[] = [];
  const slowLines = new Set<string>();
  const running = new Map<Job, { name: string; startedMs: number; result: Promise<Result> }>();
  let over = false;

  const settle = (job: Job, line: Line<Job>, keep: () => void) => {
    if (over) return;
    noteTime(job);
    running.delete(job);
    line.running -= 1;
    keep();
  };
  const noteTime = (job: Job) => {
    const { name, startedMs } = running.get(job) ?? { name: lineOf(job), startedMs: Date.now() };
    if (Date.now() - startedMs >= limits.slowAttemptMs) slowLines.add(name);
  };
  const start = (name: string, line: Line<Job>): Promise<void> => {
    const job = line.waiting.pop() as Job;
    const result = perform(job);
    line.running += 1;
    running.set(job, { name, startedMs: Date.now(), result });
    return result.then(
      (value) => settle(job, line, () => finished.push(value)),
      (error) => settle(job, line, () => failed.push({ job, error })),
    );
  };

  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limits.turnMs);
    const startNext = () => {
      while (running.size < limits.connections) {
        const [name, line] = leastServed(lines) ?? [];
        if (name === undefined || line === undefined) break;
        start(name, line).then(() => over || startNext());
      }
      if (running.size > 0) return;
      clearTimeout(timer);
      resolve();
    };
    startNext();
  });
  over = true;
  for (const job of running.keys()) noteTime(job);
  return {
    finished,
    straggling: [...running].map(([job, { result }]) => ({ job, result })),
    unstarted: [...lines.values()].flatMap(({ waiting }) => waiting.reverse()),
    failed,
    slowLines,
  };
}

function leastServed<Job>(lines: Map<string, Line<Job>>): [string, Line<Job>] | undefined {
  let least: [string, Line<Job>] | undefined;
  for (const entry of lines) {
    const [, line] = entry;
    if (line.waiting.length > 0 && line.running < (least?.[1].running ?? Number.POSITIVE_INFINITY))
      least = entry;
  }
  return least;
}
