import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that have a process of their own come first, of one project and another by turns: those in workerd wait for
 * real time limits while those of the commands keep the cores busy. Files that share processes follow in one row.
 */
export class WaitingBesideBusy extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    const turns = [...byProject].flatMap(([{ config }, specs]) =>
      specs.map((spec, index) => ({ spec, turn: config.isolate ? (index + 0.5) / specs.length : 1 })),
    );
    return turns.sort((one, other) => one.turn - other.turn).map(({ spec }) => spec);
  }
}
