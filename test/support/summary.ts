import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one line that scripts can read: `N passed, N failed`. A file that did not load counts as failed. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const count = (state: string) => results.filter((result) => result === state).length;
    process.on("exit", () => console.log(`${count("passed")} passed, ${count("failed") + broken} failed`));
  }
}
