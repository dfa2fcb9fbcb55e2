import { describe, expect, it } from "vitest";
import { runFairly } from "./run-fairly.ts";

interface Job {
  line: string;
  number: number;
  takesMs: number;
}

const limits = { connections: 6, turnMs: 200, slowAttemptMs: 50 };
const jobs = (line: string, count: number, takesMs: number): Job[] =>
  Array.from({ length: count }, (_, number) => ({ line, number, takesMs }));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs jobs that only take time, and tells how many ran at once, in all and in each line. */
async function turnOf(all: readonly Job[]) {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  let mostAtOnce = 0;
  const startedMs = Date.now();
  const turn = await runFairly(
    all,
    ({ line }) => line,
    async (job) => {
      const now = (running.get(job.line) ?? 0) + 1;
      running.set(job.line, now);
      most.set(job.line, Math.max(most.get(job.line) ?? 0, now));
      mostAtOnce = Math.max(
        mostAtOnce,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      await pause(job.takesMs);
      running.set(job.line, (running.get(job.line) ?? 0) - 1);
      if (job.takesMs === 13) throw new Error("unlucky");
      return job;
    },
    limits,
  );
  return { ...turn, tookMs: Date.now() - startedMs, most, mostAtOnce };
}

describe("a turn", () => {
  it("ends when all is done, over six connections, each line in its order", async () => {
    const { finished, straggling, unstarted, failed, mostAtOnce, tookMs } = await turnOf([
      ...jobs("a", 12, 2),
      ...jobs("b", 12, 2),
    ]);
    expect([finished.length, straggling.length, unstarted.length, failed.length]).toEqual([24, 0, 0, 0]);
    expect(mostAtOnce).toBe(6);
    expect(tookMs).toBeLessThan(limits.turnMs);
    const ofA = finished.filter(({ line }) => line === "a").map(({ number }) => number);
    expect(ofA).toEqual([...ofA].sort((left, right) => left - right));
  });

  it("with nothing to do ends at once", async () => {
    expect(await turnOf([])).toMatchObject({ finished: [], straggling: [], unstarted: [], failed: [] });
  });

  it("a line that hangs takes half of the connections while another waits, and does not hold its results", async () => {
    const turn = await turnOf([...jobs("hanging", 20, 1000), ...jobs("healthy", 20, 2)]);
    expect(turn.finished).toHaveLength(20);
    expect(turn.finished.every(({ line }) => line === "healthy")).toBe(true);
    expect(turn.straggling.map(({ job }) => job.line)).toEqual(Array(6).fill("hanging"));
    expect(turn.unstarted.map(({ number }) => number)).toEqual(
      Array.from({ length: 14 }, (_, index) => index + 6),
    );
    expect(turn.slowLines).toEqual(new Set(["hanging"]));
    expect(turn.tookMs).toBeLessThan(limits.turnMs * 2);
    expect(await turn.straggling[0]?.result).toMatchObject({ line: "hanging", number: 0 });
  });

  it("alone, a line may take all connections", async () => {
    expect((await turnOf(jobs("only", 30, 2))).most.get("only")).toBe(6);
  });

  it("six hanging lines leave what they did not let start, and their names", async () => {
    const hanging = ["a", "b", "c", "d", "e", "f"].flatMap((line) => jobs(line, 1, 1000));
    const turn = await turnOf([...hanging, ...jobs("healthy", 3, 2)]);
    expect(turn.unstarted.map(({ line }) => line)).toEqual(["healthy", "healthy", "healthy"]);
    expect(turn.slowLines.has("healthy")).toBe(false);
  });

  it("a job that throws is set aside with its error", async () => {
    const turn = await turnOf([...jobs("a", 1, 13), ...jobs("a", 1, 2)]);
    expect(turn.finished).toHaveLength(1);
    expect(turn.failed).toMatchObject([{ job: { takesMs: 13 }, error: { message: "unlucky" } }]);
  });
});
