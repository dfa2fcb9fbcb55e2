import { beforeAll, expect, it } from "vitest";
import { partnerApi } from "../../client/src/index.ts";
import { openService } from "../operations/open-service.ts";
import { hasPython } from "../support/python.ts";
import { conformance, conformanceTable, subjects, type Verdict } from "./conformance/conformance.ts";
import { languages } from "./conformance/protocol.ts";

let verdicts: Verdict[];

async function ownWorkspace() {
  const { server, admin } = await openService();
  const organization = "conformance";
  const owner_email = "owner@conformance.example";
  await admin("create-organization", {
    name: "Conformance",
    slug: organization,
    plan: "agency",
    owner_email,
    currency: "EUR",
  });
  const scopes = "client:read,client:write,invoice:read,invoice:write";
  const { token = "" } = await admin("create-api-token", { organization, name: "conformance", scopes });
  for (const company_name of ["One", "Two", "Three"])
    await admin("create-client", { organization, company_name });
  const service = { baseUrl: server.base_url, apikey: server.apikey, token };
  const api = partnerApi(service);
  const [client] = await api.clients.list().all(1);
  const line_items = [{ description: "Issued for its event", quantity: 1, unit_price: 1 }];
  const { id } = await api.invoices.create({ client_id: client?.id ?? "", line_items });
  await admin("issue-invoice", { organization, id });
  return service;
}

beforeAll(async () => {
  verdicts = await conformance(await ownWorkspace());
});

const cases = Object.entries(subjects).flatMap(([subject, scenarios]) =>
  scenarios.flatMap(({ promise }) => languages.map(({ name }) => ({ subject, promise, name }))),
);

it.each(cases)("$name, $subject: $promise", ({ promise, name }) => {
  const problem = verdicts.find((verdict) => verdict.promise === promise)?.problems[name];
  if (problem !== undefined) throw problem;
});

it.runIf(hasPython)("every client keeps the promises in the approved table", async () => {
  console.log(conformanceTable(verdicts));
  await expect(conformanceTable(verdicts)).toMatchFileSnapshot("./conformance/table.md");
});
