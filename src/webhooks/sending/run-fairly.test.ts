import { describe, expect, it } from "vitest";
import { runFairly } from "./run-fairly.ts";

interface Task {
  group: string;
  number: number;
  takesMs: number;
}

const limits = { connections: 6, fairRunMs: 1_000, slowAttemptMs: 500 };
/** Slack for a busy machine. A run that waited for a hanging task would exceed it. */
const roomMs = 5_000;
const hanging = Number.POSITIVE_INFINITY;
const tasks = (group: string, count: number, takesMs: number): Task[] =>
  Array.from({ length: count }, (_, number) => ({ group, number, takesMs }));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs tasks that only sleep, and returns how many ran at once, in total and per group. */
async function fairRunOf(all: readonly Task[], { fairRunMs } = limits) {
  const released = Promise.withResolvers<void>();
  const started: Task[] = [];
  const running = new Map<string, number>();
  const max = new Map<string, number>();
  let maxAtOnce = 0;
  const startedMs = Date.now();
  const run = await runFairly(
    all,
    ({ group }) => group,
    async (task) => {
      started.push(task);
      const now = (running.get(task.group) ?? 0) + 1;
      running.set(task.group, now);
      max.set(task.group, Math.max(max.get(task.group) ?? 0, now));
      maxAtOnce = Math.max(
        maxAtOnce,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      await (task.takesMs === hanging ? released.promise : pause(task.takesMs));
      running.set(task.group, (running.get(task.group) ?? 0) - 1);
      if (task.takesMs === 13) throw new Error("unlucky");
      return task;
    },
    { ...limits, fairRunMs },
  );
  return { ...run, tookMs: Date.now() - startedMs, max, maxAtOnce, started, release: released.resolve };
}

describe("runFairly", () => {
  it("runs all tasks over six connections, and each group's tasks in order", async () => {
    const { finished, straggling, unstarted, failed, maxAtOnce, tookMs } = await fairRunOf(
      [...tasks("a", 12, 2), ...tasks("b", 12, 2)],
      { ...limits, fairRunMs: 60_000 },
    );
    expect([finished.length, straggling.length, unstarted.length, failed.length]).toEqual([24, 0, 0, 0]);
    expect(maxAtOnce).toBe(6);
    expect(tookMs).toBeLessThan(roomMs);
    const ofA = finished.filter(({ group }) => group === "a").map(({ number }) => number);
    expect(ofA).toEqual([...ofA].sort((left, right) => left - right));
  });

  it("returns at once if there are no tasks", async () => {
    expect(await fairRunOf([])).toMatchObject({ finished: [], straggling: [], unstarted: [], failed: [] });
  });

  it("does not let a hanging group delay another", async () => {
    const run = await fairRunOf([...tasks("hanging", 20, hanging), ...tasks("healthy", 20, 2)]);
    expect(run.finished).toHaveLength(20);
    expect(run.finished.every(({ group }) => group === "healthy")).toBe(true);
    expect(run.straggling.map(({ task }) => task.group)).toEqual(Array(6).fill("hanging"));
    expect(run.unstarted.map(({ number }) => number)).toEqual(
      Array.from({ length: 14 }, (_, index) => index + 6),
    );
    expect(run.slowGroups).toEqual(new Set(["hanging"]));
    expect(run.tookMs).toBeLessThan(limits.fairRunMs + roomMs);
    run.release();
    expect(await run.straggling[0]?.result).toMatchObject({ group: "hanging", number: 0 });
    await Promise.all(run.straggling.map(({ result }) => result));
    await pause(0);
    expect([run.started.length, run.finished.length]).toEqual([26, 20]);
  });

  it("gives a single group all connections", async () => {
    expect((await fairRunOf(tasks("only", 30, 2))).max.get("only")).toBe(6);
  });

  it("returns the names of hanging groups, and the tasks that could not start", async () => {
    const six = ["a", "b", "c", "d", "e", "f"].flatMap((group) => tasks(group, 1, hanging));
    const run = await fairRunOf([...six, ...tasks("healthy", 3, 2)]);
    expect(run.unstarted.map(({ group }) => group)).toEqual(["healthy", "healthy", "healthy"]);
    expect(run.slowGroups).toEqual(new Set(["a", "b", "c", "d", "e", "f"]));
  });

  it("returns a failed task with its error", async () => {
    const run = await fairRunOf([...tasks("a", 1, 13), ...tasks("a", 1, 2)]);
    expect(run.finished).toHaveLength(1);
    expect(run.failed).toMatchObject([{ task: { takesMs: 13 }, error: { message: "unlucky" } }]);
  });
});
