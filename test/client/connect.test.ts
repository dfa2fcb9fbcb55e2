import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { AdminBrowser } from "../../scripts/local/admin-browser.ts";
import { type OpenService, openService } from "../operations/open-service.ts";
import { cli, running } from "./running.ts";

const root = join(import.meta.dirname, "..", "..");
const owner = "owner@connected.example";

let service: OpenService;
let browser: AdminBrowser;
let organization: string;
beforeAll(async () => {
  service = await openService();
  const fields = { name: "Connected studio", slug: "connected-studio", plan: "agency", owner_email: owner };
  ({ id: organization = "" } = await service.admin("create-organization", fields));
  browser = new AdminBrowser(service.server.base_url);
  await browser.signIn(owner);
});

const pageOf = ({ printed }: ReturnType<typeof running>) =>
  expect
    .poll(() => /https?:\S+\/oauth\/authorize\S+/.exec(printed())?.[0], { timeout: 30_000 })
    .toBeDefined()
    .then(() => /https?:\S+\/oauth\/authorize\S+/.exec(printed())?.[0] ?? "");

it("the example connects, reads a list and verifies a webhook in at most 60 lines [J1]", async () => {
  const example = join(root, "examples", "connect", "connect.js");
  expect(readFileSync(example, "utf8").split("\n").length - 1).toBeLessThanOrEqual(60);
  const client = await service.admin("create-client", { organization, company_name: "Acme" });
  const app = running(example, [], { SERVICE_URL: service.server.base_url });
  const page = await pageOf(app);
  const answer = await fetch(await browser.connect(page, ["client:read", "invoice:read"]));
  expect([answer.status, await answer.text()]).toEqual([
    200,
    "Connected to Connected studio. You can close this page.",
  ]);
  await expect.poll(app.printed).toContain('Clients: "Acme"');
  const listed: unknown = await service.admin("list-webhook-endpoints", { organization });
  const [endpoint] = listed as { id: string; events: string[] }[];
  expect(endpoint?.events).toEqual(["money"]);
  expect(client.id).toBeDefined();
  await service.admin("send-test-webhook", { organization, id: endpoint?.id ?? "", event: "invoice.paid" });
  await expect.poll(app.printed, { timeout: 30_000 }).toContain("Received invoice.paid");
});

it("partner-api login stores the token, which the other commands use, in a file that only the user can read [J9]", async () => {
  const directory = mkdtempSync(join(tmpdir(), "partner-api-login-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const environment = { XDG_CONFIG_HOME: directory };
  const login = running(cli, ["login", "--url", service.server.base_url], environment);
  const page = await pageOf(login);
  expect(new URL(page).searchParams.get("scope")).toContain("client:read project:read");
  const stranger = new URL(new URL(page).searchParams.get("redirect_uri") ?? "");
  stranger.search = "?code=stolen&state=guessed";
  expect((await fetch(stranger)).status).toBe(404);
  const answer = await fetch(await browser.connect(page, ["client:read"]));
  expect([answer.status, await login.ended]).toEqual([200, 0]);
  expect(login.printed()).toContain("Connected to Connected studio (connected-studio): client:read");
  const file = join(directory, "partner-api", "credentials.json");
  const { token } = JSON.parse(readFileSync(file, "utf8"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(login.printed()).not.toContain(token);

  const logs = running(cli, ["logs"], environment);
  expect([await logs.ended, logs.printed()]).toEqual([0, ""]);
  const elsewhere = running(cli, ["logs", "--url", "http://127.0.0.1:9"], environment);
  expect([await elsewhere.ended, elsewhere.printed()]).toEqual([
    2,
    expect.stringContaining("partner-api login"),
  ]);
});
