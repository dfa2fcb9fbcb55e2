import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newSecret } from "../../src/platform/secret.ts";
import { makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { watchMails } from "../support/mails.ts";
import { refuseWrites, restoreDatabase } from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import { postProcessorEvent } from "../support/processor.ts";
import { countRows, makeDeliverable, makeStudio } from "../support/review.ts";
import { alertOf, makeReview } from "../support/reviewer.ts";
import { ownerAtHome, SettingsBrowser } from "../support/settings.ts";
import { settingsPages } from "../support/settings-pages.ts";
import { intentSucceeded, stripeIdOf } from "../support/stripe.ts";
import { arrived, draftInvoices, minute, openBySql, register } from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** Tests each entry point with a database that is full or rejects writes for another reason. */

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const newClient = ["/api-v1/clients", { client_name: "Ada" }, "key"] as const;
const statusAndRetry = ({ status, headers }: Response) => [status, headers.get("retry-after")];

/** D1's messages ("Debug D1" in its documentation), and how often a retryable batch is attempted. */
const faults = [
  ["Exceeded maximum DB size.", "storage_full", 1],
  ["Exceeded maximum account storage.", "storage_full", 1],
  ["database or disk is full: SQLITE_FULL", "storage_full", 1],
  ["attempt to write a readonly database: SQLITE_READONLY", undefined, 1],
  ["disk I/O error: SQLITE_IOERR", undefined, 1],
  ["D1 DB storage operation exceeded timeout which caused object to be reset.", undefined, 1],
  ["D1 DB's isolate exceeded its memory limit and was reset.", undefined, 1],
  ["D1 DB exceeded its CPU time limit and was reset.", undefined, 1],
  ["D1 DB is overloaded. Too many requests queued.", undefined, 1],
  ["internal error; reference = 0123456789abcdef", undefined, 1],
  ["Currently processing a long-running export.", undefined, 1],
  ["D1 DB reset because its code was updated.", undefined, 2],
  ["Internal error while starting up D1 DB storage caused object to be reset.", undefined, 2],
  ["Internal error in D1 DB storage caused object to be reset.", undefined, 2],
  ["Cannot resolve D1 DB due to transient issue on remote node.", undefined, 2],
  ["Replica disconnected from primary.", undefined, 2],
  ["Can't read from request stream because client disconnected.", undefined, 2],
] as const;

it.each(faults)(
  "the D1 error “%s” is a 503 with Retry-After and the code %s, after %i attempts [E2]",
  async (words, code, tries) => {
    const workspace = await makeWorkspace();
    const asked = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error(`D1_ERROR: ${words}`));
    const answer = await call(workspace, "/api-v1/clients");
    expect([...statusAndRetry(answer), answer.headers.get("x-should-retry")]).toEqual([
      503,
      code ? "60" : "5",
      "true",
    ]);
    expect((await answer.json<{ code?: string }>()).code).toBe(code);
    expect(asked).toHaveBeenCalledTimes(tries);
  },
);

describe("while the database is full", () => {
  const fill = () => refuseWrites("Exceeded maximum DB size.");

  it("lists succeed, and writes return 503 storage_full until there is room [B7]", async () => {
    const workspace = await makeWorkspace();
    fill();
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
    const refused = await post(workspace, ...newClient);
    expect(statusAndRetry(refused)).toEqual([503, "60"]);
    expect(await refused.json()).toEqual({ error: expect.stringContaining("full"), code: "storage_full" });
    restoreDatabase();
    const made = await post(workspace, ...newClient);
    expect([made.status, await countRows("clients", workspace)]).toEqual([201, 1]);
  });

  it("the legacy create returns 503 storage_full, not 422", async () => {
    const studio = await makeStudio();
    fill();
    const body = { title: "Poster", client_id: studio.clientId, embed_url: "https://example.com/poster" };
    const refused = await call(studio, "/api-create-deliverable", { body });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: "storage_full" }),
    ]);
  });

  it("a send returns 503 without an e-mail, and the same key sends it later [B7]", async () => {
    const mails = watchMails();
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const send = () => post(studio, `/api-v1/deliverables/${id}/send`, {}, "key");
    fill();
    expect([(await send()).status, mails]).toEqual([503, []]);
    restoreDatabase();
    expect([(await send()).status, mails.length]).toEqual([200, 1]);
  });

  it("RPC reads succeed, and RPC writes return 503 in RPC's error format", async () => {
    const { browser } = await ownerAtHome();
    fill();
    expect((await browser.rpc("list_members")).status).toBe(200);
    const { status, body, headers } = await browser.rpc("create_client", { client_name: "Ada" });
    expect([status, headers.get("retry-after")]).toEqual([503, "60"]);
    expect(body).toEqual({ message: expect.stringContaining("full"), hint: null });
  });

  it("the settings are shown, and a form explains why it was rejected [B7]", async () => {
    const { here, browser, base } = await ownerAtHome();
    await sql(
      "UPDATE sessions SET last_used_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour') WHERE email = ?",
      here.ownerEmail,
    );
    fill();
    for (const page of settingsPages)
      expect([page, (await browser.fetch(base + page)).status]).toEqual([page, 200]);
    const refused = await browser.post(`${base}/brand`, { accent: "#123456" });
    expect(statusAndRetry(refused)).toEqual([503, "60"]);
    expect(await refused.text()).toContain("is full");
  });

  it("a review is shown, and the text of a rejected comment stays on the page [B7]", async () => {
    const { id, visitor } = await makeReview();
    fill();
    const refused = await visitor.comment("Could the blue be darker?");
    const page = await refused.text();
    expect(statusAndRetry(refused)).toEqual([503, "60"]);
    expect(alertOf(page)).toContain("out of storage");
    expect(page).toContain("Could the blue be darker?");
    restoreDatabase();
    expect((await visitor.comment("Could the blue be darker?")).status).toBe(303);
    expect(await sql("SELECT body FROM feedback WHERE deliverable_id = ?", id)).toHaveLength(1);
  });

  it("any other form returns a page with a message and a link back [B7]", async () => {
    const path = `/sign-in/${newSecret()}`;
    fill();
    const refused = await new SettingsBrowser().post(path);
    expect(statusAndRetry(refused)).toEqual([503, "60"]);
    const page = await refused.text();
    expect(page).toContain("the service is out of storage");
    expect(page).toMatch(new RegExp(`<a [^>]*href="${path}">Go back`));
  });

  it("a Stripe event returns 500, and the retry is recorded [Y3]", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    const paid = { intent: stripeIdOf("pi"), amount: 10_000, metadata: { invoice_id: invoice } };
    const event = intentSucceeded(paid);
    fill();
    expect((await postProcessorEvent(event)).status).toBe(500);
    restoreDatabase();
    expect((await postProcessorEvent(event)).status).toBe(200);
    expect(await sql("SELECT 1 FROM payments WHERE invoice_id = ?", invoice)).toHaveLength(1);
  });

  it("the cron completes, and sends deliveries once there is room [B7]", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    const drafts = await draftInvoices(workspace, 1);
    fill();
    await openBySql(drafts);
    await minute();
    restoreDatabase();
    await minute();
    expect(await arrived(endpoint)).toHaveLength(1);
  });
});

it("while the database accepts no writes, writes return 503 and reads succeed [B7]", async () => {
  const workspace = await makeWorkspace();
  refuseWrites("attempt to write a readonly database: SQLITE_READONLY");
  expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  const refused = await post(workspace, ...newClient);
  expect(statusAndRetry(refused)).toEqual([503, "5"]);
  restoreDatabase();
  expect((await post(workspace, ...newClient)).status).toBe(201);
});
