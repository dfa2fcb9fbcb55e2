import type { Reporter, TestModule } from "vitest/node";
import { hasPython } from "./python.ts";

/**
 * Prints a machine-readable line at the end of a run: `N passed, N failed`. A file that did not load counts as a
 * failure.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const count = (state: string) => results.filter((result) => result === state).length;
    if (!hasPython && count("skipped") > 0)
      console.log(
        "Skipped the tests of the Python client and of examples in Python: python3 is not installed",
      );
    process.on("exit", () => console.log(`${count("passed")} passed, ${count("failed") + broken} failed`));
  }
}
