/**
 * `npm run conformance` runs every scenario with every client and prints the table. PARTNER_API_URL, PARTNER_API_KEY
 * and PARTNER_API_TOKEN enable the scenarios that need a real service. Exits with 0 only if every scenario passes.
 */
import { conformance, conformanceTable } from "./conformance.ts";

const { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: apikey, PARTNER_API_TOKEN: token } = process.env;
const verdicts = await conformance(baseUrl && apikey && token ? { baseUrl, apikey, token } : undefined);
console.log(conformanceTable(verdicts));
for (const { promise, problems } of verdicts) {
  for (const [name, problem] of Object.entries(problems)) {
    if (problem === undefined) continue;
    console.error(`\n${name}: ${promise}\n`, problem);
    process.exitCode = 1;
  }
}
