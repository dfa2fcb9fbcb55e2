import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take much longer than their size suggests. If one of them started last, the run would have to wait for it.
 */
const longest = [
  "browser/settings",
  "client/service",
  "operations/local-service",
  "browser/review",
  "client/mcp",
  "operations/side-by-side",
  "http/two-organizations",
  "faults/mail",
  "http/refused-requests",
  "admin/changes",
  "fuzz/requests",
  "fuzz/dry-run",
  "http/trips",
].map((name) => `/test/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place === -1 ? longest.length : place;
};

/** Sorts files by size, but starts each project's longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((ofProject) =>
      ofProject.sort((one, other) => placeOf(one) - placeOf(other)),
    );
  }
}
