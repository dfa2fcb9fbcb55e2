/** How much one turn may use. */
export interface FairRunLimits {
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
  name: string;
  /** The next one last. */
  waiting: Job[];
  running: number;
}

interface Run<Job, Result> {
  job: Job;
  line: Line<Job>;
  startedMs: number;
  result: Promise<Result>;
}

/**
 * Runs jobs over a few connections until all are done or the turn is over, whichever is first. Jobs stand in lines (one
 * for each endpoint); a free connection goes to the line that uses the fewest, so that no line takes all while others
 * wait. The jobs of a line start in their order.
 */
export async function runFairly<Job, Result>(
  jobs: readonly Job[],
  lineOf: (job: Job) => string,
  perform: (job: Job) => Promise<Result>,
  limits: FairRunLimits,
): Promise<Turn<Job, Result>> {
  const lines = standInLines(jobs, lineOf);
  const running = new Set<Run<Job, Result>>();
  const turn = { finished: [] as Result[], failed: [] as { job: Job; error: unknown }[] };
  const slowLines = new Set<string>();
  const noteTime = ({ line, startedMs }: Run<Job, Result>) => {
    if (Date.now() - startedMs >= limits.slowAttemptMs) slowLines.add(line.name);
  };

  await new Promise<void>((end) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      end();
    }, limits.turnMs);
    const start = (line: Line<Job>) => {
      const job = line.waiting.pop() as Job;
      const run = { job, line, startedMs: Date.now(), result: perform(job) };
      running.add(run);
      line.running += 1;
      const settle = (keep: () => void) => {
        if (over) return;
        keep();
        noteTime(run);
        running.delete(run);
        line.running -= 1;
        startNext();
      };
      run.result.then(
        (result) => settle(() => turn.finished.push(result)),
        (error) => settle(() => turn.failed.push({ job, error })),
      );
    };
    const startNext = () => {
      while (running.size < limits.connections) {
        const line = leastServed(lines);
        if (!line) break;
        start(line);
      }
      if (running.size > 0) return;
      clearTimeout(timer);
      end();
    };
    startNext();
  });

  for (const run of running) noteTime(run);
  const straggling = [...running].map(({ job, result }) => ({ job, result }));
  const unstarted = lines.flatMap(({ waiting }) => waiting.toReversed());
  return { ...turn, straggling, unstarted, slowLines };
}

function standInLines<Job>(jobs: readonly Job[], lineOf: (job: Job) => string): Line<Job>[] {
  const lines = new Map<string, Line<Job>>();
  for (const job of jobs) {
    const name = lineOf(job);
    const line = lines.get(name);
    if (line) line.waiting.push(job);
    else lines.set(name, { name, waiting: [job], running: 0 });
  }
  for (const { waiting } of lines.values()) waiting.reverse();
  return [...lines.values()];
}

/** Of the lines in which somebody waits, the one that uses the fewest connections. */
function leastServed<Job>(lines: readonly Line<Job>[]): Line<Job> | undefined {
  let least: Line<Job> | undefined;
  for (const line of lines) {
    if (line.waiting.length > 0 && line.running < (least?.running ?? Number.POSITIVE_INFINITY)) least = line;
  }
  return least;
}
