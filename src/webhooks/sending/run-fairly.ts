interface FairRunLimits {
  connections: number;
  fairRunMs: number;
  slowAttemptMs: number;
}

/** The result of a fair run. Every task is in exactly one of the four lists. */
export interface FairRun<Task, Result> {
  finished: Result[];
  /** Tasks that were still running when the time was up, and how long they had been running. */
  straggling: { task: Task; result: Promise<Result>; elapsedMs: number }[];
  unstarted: Task[];
  failed: { task: Task; error: unknown }[];
  /** Groups with a task that took, or has taken so far, longer than `slowAttemptMs`. */
  slowGroups: ReadonlySet<string>;
}

interface Group<Task> {
  name: string;
  /** In reverse order: the next task is last. */
  waiting: Task[];
  running: number;
}

interface Started<Task, Result> {
  task: Task;
  group: Group<Task>;
  startedMs: number;
  result: Promise<Result>;
}

/**
 * Runs tasks over a few connections until all are done or the time is up. Tasks are grouped by endpoint. A free
 * connection goes to the group that uses the fewest, so that no group takes all of them while others wait. Tasks in a
 * group start in order.
 */
export async function runFairly<Task, Result>(
  tasks: readonly Task[],
  groupOf: (task: Task) => string,
  runTask: (task: Task) => Promise<Result>,
  limits: FairRunLimits,
): Promise<FairRun<Task, Result>> {
  const groups = inGroups(tasks, groupOf);
  const running = new Set<Started<Task, Result>>();
  const finished: Result[] = [];
  const failed: { task: Task; error: unknown }[] = [];
  const slowGroups = new Set<string>();
  const noteTime = ({ group, startedMs }: Started<Task, Result>) => {
    if (Date.now() - startedMs >= limits.slowAttemptMs) slowGroups.add(group.name);
  };
  let isOver = false;

  const useConnection = async () => {
    for (let started = startNext(groups, runTask); started; started = startNext(groups, runTask)) {
      running.add(started);
      const [settled] = await Promise.allSettled([started.result]);
      if (isOver) return;
      if (settled.status === "fulfilled") finished.push(settled.value);
      else failed.push({ task: started.task, error: settled.reason });
      noteTime(started);
      running.delete(started);
      started.group.running -= 1;
    }
  };
  await withDeadline(limits.fairRunMs, Array.from({ length: limits.connections }, useConnection));
  isOver = true;

  for (const started of running) noteTime(started);
  const straggling = [...running].map(({ task, result, startedMs }) => {
    return { task, result, elapsedMs: Date.now() - startedMs };
  });
  const unstarted = groups.flatMap(({ waiting }) => waiting.toReversed());
  return { finished, failed, straggling, unstarted, slowGroups };
}

const inGroups = <Task>(tasks: readonly Task[], groupOf: (task: Task) => string): Group<Task>[] =>
  [...Map.groupBy(tasks, groupOf)].map(([name, ofGroup]) => ({
    name,
    waiting: ofGroup.reverse(),
    running: 0,
  }));

/** Starts the next task of the group that uses the fewest connections. Returns undefined if no task is waiting. */
function startNext<Task, Result>(
  groups: readonly Group<Task>[],
  runTask: (task: Task) => Promise<Result>,
): Started<Task, Result> | undefined {
  let next: Group<Task> | undefined;
  for (const group of groups) {
    if (group.waiting.length > 0 && group.running < (next?.running ?? Number.POSITIVE_INFINITY)) next = group;
  }
  const task = next?.waiting.pop();
  if (!next || task === undefined) return undefined;
  next.running += 1;
  return { task, group: next, startedMs: Date.now(), result: runTask(task) };
}

async function withDeadline(milliseconds: number, all: readonly Promise<void>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([Promise.all(all), timeOver]);
  clearTimeout(timer);
}
