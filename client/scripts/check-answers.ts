/** Checks the client's types against every response that `npm test` recorded. Silent if all match. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RecordedAnswer, recordedAnswersFile } from "../../test/support/recorded-answers.ts";
import { answerType, compilerErrors, typeTest } from "./type-test.ts";

if (existsSync(recordedAnswersFile)) {
  const answers: RecordedAnswer[] = JSON.parse(readFileSync(recordedAnswersFile, "utf8"));
  const successes = answers.filter(({ status }) => status < 300);
  const samples = successes.map(({ path, method, status, body }) => ({
    type: answerType(path, method, status),
    value: body,
  }));
  const file = join(dirname(recordedAnswersFile), "recorded-answers.ts");
  writeFileSync(file, typeTest(samples));
  const errors = await compilerErrors(file);
  if (errors !== "") {
    console.error(`The client's types do not take every answer that the tests got:\n${errors}`);
    process.exit(1);
  }
}
