import { Driver, languages } from "./protocol.ts";
import { callScenarios, keyScenarios } from "./scenarios/calls.ts";
import { copyScenarios } from "./scenarios/copies.ts";
import { catchUpScenarios, followScenarios } from "./scenarios/events.ts";
import { listScenarios } from "./scenarios/lists.ts";
import { noAnswerScenarios, refusalScenarios, retryScenarios } from "./scenarios/retries.ts";
import { serviceScenarios } from "./scenarios/service.ts";
import { webhookScenarios } from "./scenarios/webhooks.ts";
import { type ClientScenario, type RealService, Stage } from "./stage.ts";

export const subjects: Record<string, readonly ClientScenario[]> = {
  Calls: callScenarios,
  "Idempotency keys": keyScenarios,
  Retries: retryScenarios,
  "No response": noAnswerScenarios,
  "Error responses": refusalScenarios,
  Lists: listScenarios,
  Webhooks: webhookScenarios,
  "Events: catchUp()": catchUpScenarios,
  "Events: follow()": followScenarios,
  "Copies of records": copyScenarios,
  "Real service": serviceScenarios,
};

export interface Verdict {
  subject: string;
  promise: string;
  /** The error, for each language that fails the scenario. */
  problems: Record<string, unknown>;
}

/** The number of concurrent scenarios, which spend most of their time waiting. */
const atOnce = 12;

/** Runs every scenario with every client. Without a real service, skips the scenarios that need one. */
export async function conformance(realService?: RealService): Promise<Verdict[]> {
  // Without jitter, retries have no delay. Only the scenarios about delays set it.
  const drivers = new Map(languages.map((language) => [language, new Driver(language, { JITTER: "0" })]));
  const verdicts = Object.entries(subjects)
    .filter(([, scenarios]) => realService || scenarios !== serviceScenarios)
    .flatMap(([subject, scenarios]) =>
      scenarios.map((scenario) => ({
        scenario,
        verdict: { subject, promise: scenario.promise, problems: {} } as Verdict,
      })),
    );
  const waiting = verdicts.flatMap(({ scenario, verdict }) =>
    [...drivers].map(([language, driver]) => async () => {
      const others = [...drivers.values()].filter((other) => other !== driver);
      const stage = new Stage(language, driver, others, realService);
      verdict.problems[language.name] = await problemOf(scenario, stage);
    }),
  );
  // Starts at the end of the list, where the long scenarios are.
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await Promise.all([...drivers.values()].map((driver) => driver.kill()));
  return verdicts.map(({ verdict }) => verdict);
}

async function problemOf(scenario: ClientScenario, stage: Stage): Promise<unknown> {
  try {
    await Promise.race([scenario.run(stage), outOfTime()]);
    return undefined;
  } catch (problem) {
    return problem;
  } finally {
    await stage.clear();
  }
}

const longestMs = 60_000;

/** A scenario whose client does not respond in time fails. */
const outOfTime = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not done within ${longestMs} ms`)), longestMs).unref();
  });

/** A Markdown table of all scenarios, with a mark for each client that passes. */
export function conformanceTable(verdicts: readonly Verdict[]): string {
  const names = languages.map(({ name }) => name);
  const lines = [...Map.groupBy(verdicts, ({ subject }) => subject)].map(([subject, found]) => {
    const head = `| ${subject} | ${names.join(" | ")} |\n|---|${names.map(() => "---|").join("")}`;
    const rows = found.map(({ promise, problems }) => {
      const marks = names.map((name) => (problems[name] === undefined ? "✓" : "✗"));
      return `| ${promise} | ${marks.join(" | ")} |`;
    });
    return [head, ...rows].join("\n");
  });
  const totals = names.map((name) => {
    const passed = verdicts.filter(({ problems }) => problems[name] === undefined).length;
    return `${name} passes ${passed} of ${verdicts.length} scenarios.`;
  });
  return `${lines.join("\n\n")}\n\n${totals.join(" ")}\n`;
}
