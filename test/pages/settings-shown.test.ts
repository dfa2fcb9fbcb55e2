import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { auditLimits } from "../../src/contract/limits.ts";
import { admin } from "../support/admin.ts";
import { coordinatorStub, loggedRequest } from "../support/coordinator.ts";
import { sql, update } from "../support/filled-workspace.ts";
import { post } from "../support/partner.ts";
import { alertOf } from "../support/reviewer.ts";
import { insertEndpoint, ownerAtHome } from "../support/settings.ts";
import { settingsPages } from "../support/settings-pages.ts";
import { insertDeliveries } from "../support/webhooks.ts";
import { figuresOf, tableRows, wordsOf } from "../support/words.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** Edge cases of the settings pages, with rows inserted by SQL. */

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

const endpoint = (values: Record<string, string | number> = {}) => insertEndpoint(here, values);

async function deliver(endpointId: string, status: string, count: number): Promise<void> {
  const at = new Date().toISOString();
  await insertDeliveries(here, endpointId, count, status);
  await sql(
    `UPDATE webhook_deliveries SET created_at = ?1, settled_at = iif(status = 'pending', NULL, ?1),
      failed_at = iif(status = 'dead', ?1, NULL) WHERE endpoint_id = ?2 AND status = ?3`,
    at,
    endpointId,
    status,
  );
}

describe("an endpoint", () => {
  it("shows each health figure, a chart of the last day and ten deliveries", async () => {
    const id = await endpoint();
    await deliver(id, "delivered", 6);
    await deliver(id, "dead", 2);
    await insertDeliveries(here, id, 3, "pending");
    const old = new Date(Date.now() - 89.5 * 60_000).toISOString();
    await sql(
      "UPDATE webhook_deliveries SET created_at = ? WHERE status = 'pending' AND endpoint_id = ?",
      old,
      id,
    );
    await update("webhook_endpoints", id, { consecutive_failures: 5, consecutive_dead: 4 });
    const page = await browser.read(`${base}/webhooks/${id}`);
    expect(figuresOf(page)).toEqual({
      Delivered: "75 % 6 of 8 in 24 hours",
      "Gave up": "2 in 24 hours",
      Retrying: "0 will be tried again",
      Waiting: "3 oldest for 90 min",
    });
    expect(wordsOf(page)).toContain("The last 5 attempts failed");
    expect(wordsOf(page)).toContain("After 16 more deliveries give up, this endpoint is switched off.");
    const bars = page.matchAll(
      /<rect class="fill-(\w+)" x="96.42%" y="([\d.]+)" width="3.00%" height="([\d.]+)"/g,
    );
    expect([...bars].map(([, ...bar]) => bar)).toEqual([
      ["good", "52.0", "131.0"],
      ["bad", "8.0", "43.0"],
    ]);
    expect(page.match(/\/deliveries\/[0-9a-f-]{36}"/g)).toHaveLength(10);
  });

  it("has its figures and status in the list", async () => {
    const states: [state: string, values: Record<string, string | number>, delivered: number][] = [
      ["Nothing sent today", {}, 0],
      ["Healthy", {}, 1],
      ["Failing", { consecutive_failures: 1 }, 2],
      ["Off", { enabled: 0, disabled_reason: "admin" }, 3],
      ["Off: too many failures", { enabled: 0, disabled_reason: "circuit_breaker" }, 4],
    ];
    for (const [, values, delivered] of states) {
      const id = await endpoint(values);
      if (delivered > 0) await deliver(id, "delivered", delivered);
    }
    const page = await browser.read(`${base}/webhooks`);
    const shown = tableRows(page).map(([, state, , arrived]) => [state, arrived]);
    expect(new Map(shown as [string, string][])).toEqual(
      new Map(
        states.map(([state, , delivered]) => [
          state,
          delivered === 0 ? "nothing sent" : `${delivered} of ${delivered}`,
        ]),
      ),
    );
  });

  it("shows the reason for its failure in the list and on the overview", async () => {
    const marked = '<span class="dot">';
    expect(await browser.read(`${base}/members`)).not.toContain(marked);
    const id = await endpoint({ consecutive_failures: 1 });
    await deliver(id, "dead", 1);
    await sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, response_status,
        latency_ms, error_class, response_body)
       SELECT organization_id, id, 1, created_at, 404, 20, 'http_404', 'Cannot POST\n/hooks'
       FROM webhook_deliveries WHERE endpoint_id = ?`,
      id,
    );
    const list = await browser.read(`${base}/webhooks`);
    expect(list).toContain('<small class="bad">Returned 404: Cannot POST /hooks</small>');
    expect(list).toContain(marked);
    expect(wordsOf(await browser.read(base))).toContain("the receiver returned 404. See why");
    expect(await browser.read(`${base}/members`)).toContain(marked);
    await update("webhook_endpoints", id, { consecutive_failures: 0 });
    expect(await browser.read(`${base}/members`)).not.toContain(marked);
  });

  it("has the same figures in the list as on its page", async () => {
    const id = await endpoint({ consecutive_failures: 5, description: "Books" });
    for (const [status, count] of [
      ["delivered", 6],
      ["dead", 2],
      ["pending", 3],
    ] as const)
      await deliver(id, status, count);
    await sql(
      "UPDATE webhook_deliveries SET failed_at = created_at, attempts = 1 WHERE endpoint_id = ? AND status = 'pending'",
      id,
    );
    const page = await browser.read(`${base}/webhooks`);
    const [row] = tableRows(page);
    expect([row?.[0], row?.slice(1)]).toEqual([
      expect.stringMatching(/ Books$/),
      ["Failing", "All events", "6 of 11", "2"],
    ]);
    const table = await browser.read(`${base}/webhooks/${id}`);
    const [, heads = ""] =
      /<caption class="unseen">The last 24 hours[^<]*<\/caption>(.*?)<\/thead>/.exec(table) ?? [];
    expect(wordsOf(heads)).toBe("Hour (UTC) Delivered Failed Gave up");
    expect(figuresOf(table).Delivered).toBe("55 % 6 of 11 in 24 hours");
    const hours = tableRows(table).filter(([hour]) => /^\d\d:00$/.test(hour ?? ""));
    expect([hours.length, hours.at(-1)?.slice(1)]).toEqual([24, ["6", "3", "2"]]);
  });

  it.each([
    ["disable", "Disable"],
    ["rotate", "Rotate secret"],
    ["delete", "Delete"],
  ])("asks to confirm %s with the same words as the button", async (action, name) => {
    const id = await endpoint();
    const page = await browser.read(`${base}/webhooks/${id}`);
    expect(page).toContain(`href="${base}/webhooks/${id}/${action}">${name}</a>`);
    const asked = await browser.read(`${base}/webhooks/${id}/${action}`);
    const [verb] = name.split(" ");
    expect(asked).toMatch(new RegExp(`<h1[^>]*>${verb}[a-z ]* [0-9a-f-]{36}\\.example/hook\\?</h1>`));
    expect(asked).toMatch(new RegExp(`<button type="submit"[^>]*>${name}</button>`));
  });

  it("has no forms after the deletion", async () => {
    const id = await endpoint({ deleted_at: "2026-01-31T09:30:00.000Z" });
    for (const action of ["disable", "rotate", "delete"])
      expect((await browser.fetch(`${base}/webhooks/${id}/${action}`)).status).toBe(404);
  });
});

it("an endpoint with a new URL shows no results from its previous URL [S6]", async () => {
  const id = await endpoint({ consecutive_failures: 12, consecutive_dead: 12 });
  await deliver(id, "dead", 2);
  await sql(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, response_status, latency_ms,
      error_class, response_body) SELECT organization_id, id, 1, settled_at, 410, 20, 'http_410', 'Gone fishing'
      FROM webhook_deliveries WHERE endpoint_id = ?`,
    id,
  );
  const page = async () => wordsOf(await browser.read(`${base}/webhooks/${id}`));
  expect(await page()).toContain(
    "The last 12 attempts failed: the receiver returned 410 It responds with Gone fishing",
  );
  await sql("UPDATE webhook_endpoints SET url = 'https://moved.example/hook' WHERE id = ?", id);
  const moved = await page();
  expect(moved).toContain("The address of this endpoint changed It changed on");
  expect(moved).toContain("Nothing has been delivered to the new address yet");
  expect(moved).toContain("Send a test Replay 2 deliveries");
  expect(moved).toContain("410 from the previous address");
  for (const word of ["the address answers", "It says", "attempts failed", "switched off"])
    expect(moved).not.toContain(word);
  const [row] = tableRows(await browser.read(`${base}/webhooks`)).filter(([name]) =>
    name?.includes("moved.example"),
  );
  expect(row?.slice(0, 2)).toEqual(["https://moved.example/hook", "Address changed"]);
  await admin(here, "replay-webhook-deliveries", { endpoint: id });
  expect(await page()).toContain("0 of 2 replayed deliveries arrived in the last 24 hours; 2 on the way.");
  const [one] = await sql<{ id: string }>("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
  const settled_at = new Date().toISOString();
  await update("webhook_deliveries", String(one?.id), { status: "delivered", attempts: 1, settled_at });
  const arrived = await page();
  expect(arrived).toContain("1 of 2 replayed deliveries arrived in the last 24 hours; 1 on the way.");
  expect(arrived).toContain("Deliveries arrive at the new address");
  expect(arrived).not.toContain("Send a test");
});

it("an endpoint's page lists its events and offers a test while it is enabled", async () => {
  const pageOf = async (values: Record<string, string | number>) =>
    browser.read(`${base}/webhooks/${await endpoint(values)}`);
  const all = await pageOf({ description: "Books" });
  expect(all).toContain("<bdi>Books</bdi> · All events<");
  expect(all).toContain("Send test");
  const some = await pageOf({ events: '["money","deliverable.sent"]', enabled: 0, disabled_reason: "admin" });
  expect(some).toContain(">Money, deliverable.sent<");
  expect(some).not.toContain("Send test");
});

describe("deliveries", () => {
  it("show each attempt with its response, or with the reason why there is none", async () => {
    const id = await endpoint();
    await insertDeliveries(here, id, 1, "dead");
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    await sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, response_status,
        latency_ms, error_class, response_body)
       VALUES (?1, ?2, 1, '2026-01-31T12:00:01.000Z', 503, 20, 'http_503', '<b>Down</b>'),
        (?1, ?2, 2, '2026-01-31T12:00:09.000Z', NULL, 5000, 'timeout', NULL)`,
      here.organizationId,
      delivery?.id,
    );
    const page = await browser.read(`${base}/deliveries/${delivery?.id}`);
    expect(page).toContain('<code id="payload">{}</code>');
    const [, log = ""] = /<ol class="timeline">(.*?)<\/ol>/s.exec(page) ?? [];
    expect(log.split("</li>").map(wordsOf)).toEqual([
      expect.stringMatching(/^Attempt 1: 503 31 January.*, 12:00 UTC · 20 ms <b>Down<\/b>$/),
      expect.stringMatching(/^Attempt 2: No response within 5 s 31 January.*, 12:00 UTC · 5000 ms$/),
      "",
    ]);
    expect(page).toContain('title="31 January 2026, 12:00:09 UTC"');
    expect(wordsOf(page)).toContain("Gave up after 2 attempts: no response within 5 s");
  });

  it("show a replay as in progress, without the response to an earlier attempt", async () => {
    const id = await endpoint();
    await insertDeliveries(here, id, 1, "dead");
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    const attempt = (at: string, status: number, error_class: string | null) =>
      sql(
        `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, response_status,
          latency_ms, error_class, response_body) VALUES (?, ?, 1, ?, ?, 20, ?, 'Moved')`,
        ...[here.organizationId, delivery?.id, at, status, error_class],
      );
    await attempt("2026-01-31T12:00:01.000Z", 410, "client_error");
    const replayed = {
      status: "pending",
      attempts: 0,
      settled_at: null,
      next_attempt_at: "2026-01-31T12:00:03.000Z",
    };
    await update("webhook_deliveries", String(delivery?.id), replayed);
    const list = await browser.read(`${base}/deliveries?endpoint=${id}`);
    expect(list).toContain('data-live="waiting"');
    expect(tableRows(list).map((row) => row.slice(1, 4))).toEqual([["Sending", "", "1"]]);
    expect(wordsOf(await browser.read(`${base}/deliveries/${delivery?.id}`))).not.toContain("Failed so far");
    await attempt("2026-01-31T12:00:04.000Z", 200, null);
    await update("webhook_deliveries", String(delivery?.id), {
      ...replayed,
      status: "delivered",
      attempts: 1,
    });
    const settled = await browser.read(`${base}/deliveries?endpoint=${id}`);
    expect(settled).toContain('data-live="done"');
    expect(tableRows(settled).map((row) => row.slice(1, 4))).toEqual([["Delivered", "200 in 20 ms", "2"]]);
    expect(wordsOf(await browser.read(`${base}/deliveries/${delivery?.id}`))).toContain(
      "Attempt 2, after a replay: 200",
    );
  });

  it("have the search's values in the form and in the link to older deliveries", async () => {
    const id = await endpoint();
    await insertDeliveries(here, id, 26, "dead");
    const search = "status=dead&since=2026-01-31T00%3A00&until=2026-02-01T00%3A00";
    const page = await browser.read(`${base}/deliveries?${search}`);
    const heads = [...page.matchAll(/<th scope="col"[^>]*>([^<]+)</g)].map(([, head]) => head);
    expect(heads).toEqual(["Event", "State", "Response", "Attempts", "Recorded"]);
    expect(page).toContain('<input type="hidden" name="status" value="dead"/>');
    expect(page).toMatch(/<a href="[^"]*status=dead" aria-current="true">Gave up</);
    for (const [name, value] of [
      ["since", "2026-01-31T00:00"],
      ["until", "2026-02-01T00:00"],
    ])
      expect(page).toMatch(new RegExp(`<input id="${name}"[^>]* value="${value}"`));
    const [, older = ""] = /href="([^"]+)">Older deliveries/.exec(page) ?? [];
    expect(older.replaceAll("&amp;", "&")).toMatch(new RegExp(`^\\?${search}&cursor=[0-9a-f-]{36}$`));
  });

  it("link from an endpoint's search to a replay of the same deliveries", async () => {
    const id = await endpoint();
    const page = await browser.read(`${base}/deliveries?endpoint=${id}&since=2026-01-31T12:00&status=dead`);
    expect(page).toContain(`<option value="${id}" selected`);
    const [, replay = ""] = /href="([^"]+\/replay\?[^"]+)"/.exec(page) ?? [];
    expect(replay).toBe(`${base}/deliveries/replay?since=2026-01-31T12%3A00&amp;endpoint=${id}`);
    const asked = await browser.read(`${replay.replaceAll("&amp;", "&")}&until=2026-02-01T12:00`);
    expect(asked).toContain(
      "No deliveries of this endpoint gave up since 2026-01-31T12:00Z until 2026-02-01T12:00Z: there is nothing to " +
        "replay.",
    );
    expect(asked).not.toContain('<button type="submit"');
    const exact = await browser.read(`${base}/deliveries?since=2026-01-31T12:00:05.000Z`);
    expect(exact).toMatch(/<input id="since"[^>]* value="2026-01-31T12:00"/);
  });

  it("link to older deliveries if the page is full or the search may have ended early", async () => {
    const id = await endpoint();
    await insertDeliveries(here, id, 3, "dead");
    await insertDeliveries(here, id, 2, "delivered");
    const leadsOn = async (query: string) =>
      (await browser.read(`${base}/deliveries?${query}`)).includes("Older deliveries");
    for (const [query, expected] of [
      ["", false],
      ["status=dead", false],
      ["event=invoice.paid", false],
      ["status=delivered", true],
      ["status=dead&event=invoice.paid", true],
    ] as const)
      expect([query, await leadsOn(query)]).toEqual([query, expected]);
  });

  it("use the singular for a single delivery", async () => {
    const id = await endpoint();
    await insertDeliveries(here, id, 1, "dead");
    const asked = await browser.read(`${base}/deliveries/replay?endpoint=${id}`);
    expect(asked).toContain(
      "1 delivery of this endpoint gave up. It is sent again with the same id and all attempts.",
    );
    expect(await browser.read(`${base}/deliveries?replayed=1`)).toContain("1 delivery is being sent again");
    await insertDeliveries(here, id, 1, "dead");
    expect(await browser.read(`${base}/deliveries/replay?endpoint=${id}`)).toContain(
      "2 deliveries of this endpoint gave up. They are sent again with the same ids and all attempts, about 20 per second.",
    );
  });

  it("show why a search was rejected instead of an empty list", async () => {
    const page = await browser.read(`${base}/deliveries?subject_id=no-id`);
    expect(alertOf(page)).toContain("subject_id");
    expect(page).toContain("Correct the filters to search again.");
    expect(page).not.toContain("No deliveries yet");
  });

  it("can be found by an id that is pasted with spaces", async () => {
    const id = await endpoint();
    expect(await browser.read(`${base}/webhooks/${id}`)).toContain("No deliveries yet");
    await insertDeliveries(here, id, 1);
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    const page = await browser.read(`${base}/deliveries?endpoint=%20${id}%20`);
    expect(page).toContain(`/deliveries/${delivery?.id}"`);
  });

  it.each([
    ["much later", 86_400_000],
    ["within the time that an attempt may take", 30_000],
  ])("show the time of the next attempt beside the previous attempts: %s", async (_, waitMs) => {
    const next_attempt_at = new Date(Date.now() + waitMs).toISOString();
    const id = await endpoint();
    await insertDeliveries(here, id, 1, "pending");
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    await update("webhook_deliveries", String(delivery?.id), { attempts: 1, next_attempt_at });
    await sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, response_status,
        latency_ms) VALUES (?1, ?2, 1, '2026-01-31T12:00:01.000Z', 503, 20)`,
      here.organizationId,
      delivery?.id,
    );
    const page = await browser.read(`${base}/deliveries/${delivery?.id}`);
    expect(wordsOf(page)).toMatch(/Attempt 1: 503 .*The next attempt is due: \d.*, \d\d:\d\d UTC/);
    expect(page).toContain(`The next attempt is due: <time datetime="${next_attempt_at}"`);
  });

  it.each([
    ["pending", "2026-01-31T12:00:00.000Z", "waiting", "On its way", false],
    ["pending", new Date(Date.now() + 30_000).toISOString(), "waiting", "On its way", false],
    ["pending", "2099-01-31T12:00:00.000Z", "waiting", "The next attempt is due:", true],
    ["pending", null, "done", "Held until the endpoint is enabled and the plan has webhooks", false],
    ["dead", null, "done", "Its endpoint was deleted before anything was sent", true],
    ["delivered", null, "done", "Delivered", true],
  ])("a %s delivery due %s is shown as %s: %s (replayable: %s)", async (...row) => {
    const [status, next_attempt_at, live, text, isReplayable] = row;
    const id = await endpoint();
    await insertDeliveries(here, id, 1, status);
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    await update("webhook_deliveries", String(delivery?.id), { next_attempt_at });
    const page = await browser.read(`${base}/deliveries/${delivery?.id}`);
    expect(page).toContain(`data-live="${live}"`);
    expect(page).toContain(text);
    expect(page.includes(`/deliveries/${delivery?.id}/replay"`)).toBe(isReplayable);
  });
});

describe("the audit log", () => {
  it("shows who made each change and at which entry point [S21]", async () => {
    await admin(here, "set-on-send-status", { label: "Out", operator: "kim@laptop" });
    await post(here, "/api-v1/clients", { client_name: "Ada" });
    const page = await browser.read(`${base}/audit-log`);
    const entries = [...page.matchAll(/<li>(<span class="avatar.*?)<\/p>/gs)].map(([, entry = ""]) =>
      wordsOf(entry),
    );
    expect(entries.slice(0, 2)).toEqual([
      "Owner added the client Ada with the token test",
      `Support for Owner changed the status that sending sets on send status label: none Out`,
    ]);
    expect(page).toContain('<strong title="kim@laptop"><bdi>Support</bdi></strong>');
  });

  it("shows only the changed fields, with names instead of ids [S21]", async () => {
    const made = async (path: string, fields: object) =>
      (await post(here, path, fields)).json<{ id: string }>();
    const client = await made("/api-v1/clients", { client_name: "Ada", company_name: "Ada & Co" });
    const project = await made("/api-v1/projects", { client_id: client.id, name: "Relaunch" });
    const spent = { project_id: project.id, hours: 2.5, spent_date: "2026-01-31" };
    await made("/api-v1/time-entries", { ...spent, description: "Design" });
    await made("/api-v1/invoices", {
      client_id: client.id,
      line_items: [{ description: "Work", quantity: 1, unit_price: 1 }],
    });
    await admin(here, "update-client", { id: client.id, client_name: "Ada", company_name: "Ada Ltd" });
    const page = await browser.read(`${base}/audit-log`);
    const entries = [...page.matchAll(/<li>(<span class="avatar.*?)<\/p>/gs)].map(([, entry = ""]) =>
      wordsOf(entry),
    );
    expect(entries.slice(0, 3)).toEqual([
      expect.stringMatching(/ changed the client Ada Ltd company name: Ada & Co Ada Ltd( · name: .*)?$/),
      expect.stringMatching(/ drafted the invoice for Ada Ltd/),
      expect.stringMatching(/ logged time: 2\.5 h on Relaunch/),
    ]);
    expect(entries.join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("shows a changed value with the old one", async () => {
    await admin(here, "set-on-send-status", { label: "Out" });
    expect(await browser.read(`${base}/audit-log`)).toContain(
      "<small>on send status label: <del>none</del> Out</small>",
    );
  });

  it("shows an operator's name as one line of at most 200 characters", async () => {
    await admin(here, "set-on-send-status", { label: "Out", operator: `kim\n${"x".repeat(200)}` });
    const page = await browser.read(`${base}/audit-log`);
    expect(page).toContain(`<strong title="kim ${"x".repeat(196)}"><bdi>Support</bdi></strong>`);
  });

  /** Inserts the entries `x1`, `x2`, …, with `ofMoment` entries per timestamp. */
  const fill = (count: number, perTimestamp = 1, token: string | null = null) => {
    const at = "strftime('%Y-%m-%dT%H:%M:%fZ', 1769817600 + CAST((n - 1) / ?3 AS INTEGER), 'unixepoch')";
    const write = token
      ? `INSERT INTO requests (organization_id, actor, action, created_at, key, fingerprint, request_id, subject_id)
         SELECT ?2, ?4, 'x' || n, ${at}, printf('key:%06d', n), 'x', 'x', 'x' FROM number`
      : `INSERT INTO audit_log (organization_id, actor, action, created_at)
         SELECT ?2, coalesce(?4, 'kim'), 'x' || n, ${at} FROM number`;
    return sql(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1) ${write}`,
      count,
      here.organizationId,
      perTimestamp,
      token,
    );
  };
  const actionsOf = (page: string) =>
    [...page.matchAll(/<\/strong>.*?\b(x\d+)/gs)].map(([, action]) => action);
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `x${from - n}`);
  const olderOf = (page: string) => /href="([^"]+)">Older entries/.exec(page)?.[1]?.replaceAll("&amp;", "&");

  it.each([
    [200, 1, [200]],
    [201, 1, [200, 1]],
    [500, 1, [200, 200, 100]],
    // Entries 199 and 201 have the same timestamp, so they are on one page.
    [450, 3, [198, 198, 54]],
  ])(
    "shows each of %i entries, %i per timestamp, only once on pages of %j",
    async (lines, perTimestamp, pages) => {
      await fill(lines, perTimestamp);
      let [address, left] = [`${base}/audit-log` as string | undefined, lines];
      for (const length of pages) {
        expect(address).toBeDefined();
        const page = await browser.read(`${address}`);
        expect(actionsOf(page)).toEqual(down(left, left - length + 1));
        left -= length;
        const older = olderOf(page);
        address = older && `${base}/audit-log${older}`;
      }
      expect([address, left]).toEqual([undefined, 0]);
    },
  );

  it("continues after a timestamp that has more entries than a page", async () => {
    await fill(402, 201);
    const page = await browser.read(`${base}/audit-log`);
    expect(actionsOf(page)).toEqual(down(402, 202));
    expect(actionsOf(await browser.read(`${base}/audit-log${olderOf(page)}`))).toEqual(down(201, 1));
  });

  it("shows every action of one token, on every page", async () => {
    await post(here, "/api-v1/clients", { client_name: "Ada" });
    await admin(here, "set-on-send-status", { label: "Out" });
    const [, link = ""] =
      /href="([^"]+\?token=[^"]+)"[^>]*>Activity/.exec(await browser.read(`${base}/tokens`)) ?? [];
    const page = await browser.read(link);
    expect(page).toContain("added the client");
    expect(page).not.toContain("changed the status that sending sets");
    await fill(201, 1, link.split("token=")[1]);
    expect(olderOf(await browser.read(link))).toContain(link.split("?")[1]);
  });

  it("filters by person or action, and continues where the search ended [S21]", async () => {
    await sql(
      `INSERT INTO audit_log (organization_id, actor, action, created_at)
       VALUES (?, 'ida@example.com', 'x9', '2020-01-01T00:00:00.000Z')`,
      here.organizationId,
    );
    await fill(auditLimits.entries);
    const first = await browser.read(`${base}/audit-log?person=Ida@example.com&token=&action=`);
    expect(first).toContain("Nothing in the newest entries matches these filters.");
    expect(actionsOf(await browser.read(`${base}/audit-log${olderOf(first)}`))).toEqual(["x9"]);
    expect(new Set(actionsOf(await browser.read(`${base}/audit-log?action=x300`)))).toEqual(
      new Set(["x300"]),
    );
  });

  it("is exported as CSV with the page's filters, without spreadsheet formulas [S21]", async () => {
    await fill(1_100, 3);
    const all = await browser.fetch(`${base}/audit-log/export`);
    expect([all.status, all.headers.get("content-type"), all.headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      `attachment; filename="org-${here.organizationId}-activity.csv"`,
    ]);
    const lines = (await all.text()).split("\r\n").slice(0, -1);
    expect(lines[0]).toBe("created_at,person,token,activity,changes,actor,operator,action,subject_id");
    expect(new Set(lines).size).toBe(1_101);
    await sql(
      `INSERT INTO audit_log (organization_id, actor, action, operator, details)
       VALUES (?, 'kim', 'token.created', '=1+1', '{"name":"a,b","expires":"never"}')`,
      here.organizationId,
    );
    const some = await (await browser.fetch(`${base}/audit-log/export?action=token.created`)).text();
    expect(some).toContain(
      `,"kim","","created the token a,b","expires: never","kim","'=1+1","token.created",""\r\n`,
    );
    expect(some.match(/\r\n/g)).toHaveLength(2);
    expect((await browser.fetch(`${base}/audit-log/export?token=x`)).status).toBe(400);
  });

  it("shows an empty result with a link to all entries", async () => {
    const nothing = await browser.read(`${base}/audit-log?until=2000-01-31T00:00:00Z`);
    expect(nothing).toContain("Nothing found");
    expect(nothing).toContain(`href="${base}/audit-log">Show all activity`);
    const refused = await browser.fetch(`${base}/audit-log?token=x`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("token must be a UUID"),
    ]);
  });
});

it("every page can show 200 entries about 200 different records", async () => {
  const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
  const rows: Record<string, string> = {
    webhook_endpoints: "id, url, secret_encrypted, created_by, deleted_at",
    api_tokens: "id, name, token_hash, token_prefix, scopes, created_by, revoked_at",
    audit_log: "subject_id, actor, action",
  };
  const values: Record<string, string> = {
    webhook_endpoints: `value, 'https://' || value || '.example', 'encrypted', ?3, '2026-01-31T12:00:00.000Z'`,
    api_tokens: `value, 'Token ' || value, 'hash of ' || value, 'svc_', '[]', ?3, '2026-01-31T12:00:00.000Z'`,
    audit_log: `value, ?3, 'webhook_endpoint.created'`,
  };
  for (const table of Object.keys(rows)) {
    await sql(
      `INSERT INTO ${table} (organization_id, ${rows[table]}) SELECT ?2, ${values[table]} FROM json_each(?1)`,
      JSON.stringify(ids),
      here.organizationId,
      here.ownerId,
    );
  }
  for (const id of ids) await insertDeliveries(here, id, 1);
  await coordinatorStub(here).logRequests(ids.map((token_id) => loggedRequest({ token_id })));
  for (const page of settingsPages) {
    expect([page, (await browser.fetch(base + page)).status]).toEqual([page, 200]);
  }
  const activity = await browser.read(`${base}/audit-log`);
  expect(ids.filter((id) => !activity.includes(`${id}.example`))).toEqual([]);
});

describe("tokens", () => {
  it("are listed with their scopes, creator, day of creation and last use", async () => {
    const rowOf = async () => tableRows(await browser.read(`${base}/tokens`))[0] ?? [];
    const [token] = await sql<Record<string, string>>(
      "SELECT id, token_prefix, created_at, scopes FROM api_tokens WHERE organization_id = ?",
      here.organizationId,
    );
    const scopes = JSON.parse(String(token?.scopes)).join(", ");
    const rights = "5 read, 8 write E-mails your clients Clients, projects and milestones";
    expect(await rowOf()).toEqual([
      `test ${token?.token_prefix}…`,
      expect.stringContaining(rights),
      "Owner just now",
      "never",
      "Activity Addresses Roll Revoke",
    ]);
    const page = await browser.read(`${base}/tokens`);
    expect(page).toContain(`<span title="${scopes}">`);
    expect(page).toContain(`href="${base}/tokens/${token?.id}/revoke"`);
    await update("members", here.ownerId, { name: null });
    expect((await rowOf())[2]).toBe(`${here.ownerEmail} just now`);
    await sql("UPDATE api_tokens SET revoked_at = created_at WHERE organization_id = ?", here.organizationId);
    expect((await rowOf()).at(-1)).toBe("Activity Revoked");
  });

  it("have a warning only if they have the sensitive scope", async () => {
    const page = await browser.read(`${base}/tokens/new`);
    const badges = page.matchAll(/<span class="badge (\w+)">([^<]+)<\/span><code>([a-z]+:[a-z]+)</g);
    expect([...badges].map(([, ...badge]) => badge)).toEqual([
      ["neutral", "Not available yet", "invoice:issue"],
      ["warn", "E-mails your clients", "deliverable:send"],
    ]);
  });
});

it.each(["", "/plan"])("the menu marks the current section: %j", async (section) => {
  const current = (await browser.read(base + section)).matchAll(/<a href="([^"]+)" aria-current="page">/g);
  expect([...current].map(([, address]) => address)).toEqual([base + section]);
});

it("every page shows the workspace, the signed-in person and a sign-out link", async () => {
  const page = await browser.read(`${base}/plan`);
  expect(page).toContain("<title>Plan · Test studio · Countersign</title>");
  expect(page).toContain("<bdi>Test studio</bdi>");
  expect(page).toContain(`<small>${here.ownerEmail}</small>`);
  expect(page).toContain('href="/sign-out" aria-label="Sign out"');
});

it("a page may load only scripts and data of its own origin", async () => {
  const { headers } = await browser.fetch(`${base}/plan`);
  const policy = headers.get("content-security-policy")?.split("; ");
  expect(policy).toEqual(
    expect.arrayContaining(["script-src 'self'", "connect-src 'self'", "default-src 'none'"]),
  );
});

it("the plan page shows whether the API is included, and the enabled features", async () => {
  const told = async () => {
    const page = await browser.read(`${base}/plan`);
    return [/requests a minute\. The daily/.test(page), /Also enabled: ([^<]+)\.</.exec(page)?.[1]];
  };
  expect(await told()).toEqual([true, "client messages from partners"]);
  await update("organizations", here.organizationId, { plan: "free", features: "[]" });
  expect(await told()).toEqual([false, undefined]);
  expect(await browser.read(`${base}/plan`)).toContain("Tokens and webhooks require a paid plan");
});

it("the plan page counts each of today's e-mails once", async () => {
  const count = (day: string, organizationId: string, address: string, mails: number) =>
    sql(
      "INSERT INTO mail_counts (day, organization_id, address, mails) VALUES (date('now', ?), ?, ?, ?)",
      day,
      organizationId,
      address,
      mails,
    );
  const shown = async () =>
    /E-mails today<\/strong><span>(\d+) of/.exec(await browser.read(`${base}/plan`))?.[1];
  await count("+0 days", (await makeWorkspace()).organizationId, "", 50);
  await count("-1 day", here.organizationId, "", 90);
  await count("+0 days", here.organizationId, "nora@northwind.example", 4);
  expect(await shown()).toBe("0");
  await count("+0 days", here.organizationId, "", 7);
  expect(await shown()).toBe("7");
  expect(await browser.read(`${base}/plan`)).not.toContain("Limit reached");
  await sql("UPDATE mail_counts SET mails = 1e6 WHERE organization_id = ?", here.organizationId);
  expect(wordsOf(await browser.read(`${base}/plan`))).toContain(
    "Limit reached: e-mails today Reviews can be e-mailed again from 00:00 UTC. See all plans",
  );
});

it("the plan page shows images in MB or GB, and a reached limit", async () => {
  await update("organizations", here.organizationId, { storage_bytes: 2_500_000 });
  expect(await browser.read(`${base}/plan`)).toContain("<span>2.5 MB of 1,000 GB</span>");
  await update("organizations", here.organizationId, { storage_bytes: 1e12 });
  const page = await browser.read(`${base}/plan`);
  expect(page).toContain("Limit reached: images</h2>");
  expect(page).not.toContain("00:00 UTC. <a");
});

it("a former member is marked as such and cannot be removed again", async () => {
  for (const role of ["member", "none"])
    await admin(here, "set-member", { email: `${role}@example.com`, role });
  const page = await browser.read(`${base}/members`);
  expect(tableRows(page)).toEqual([
    ["N none@example.com", "Left", ""],
    ["M member@example.com", "Member", "Change role Remove"],
    [`O Owner You ${here.ownerEmail}`, "Owner", ""],
  ]);
});

it("the link to other workspaces is shown to members of several", async () => {
  expect(await browser.read(`${base}/plan`)).not.toContain("Other workspaces");
  await admin(await makeWorkspace(), "set-member", { email: here.ownerEmail, role: "admin" });
  expect(await browser.read(`${base}/plan`)).toContain("Other workspaces");
});

describe("a form", () => {
  const kim = { email: "kim@lumen.example", role: "member" };
  const target = "https://93.184.216.34/hook";

  it("keeps an endpoint's selected events", async () => {
    const refused = await browser.post(`${base}/webhooks`, [
      ["url", "ftp://hooks.example"],
      ["events", "money"],
      ["events", "scope"],
    ]);
    const ticked = (await refused.text()).matchAll(/name="events" value="(\w+)" checked/g);
    expect([...ticked].map(([, category]) => category)).toEqual(["scope", "money"]);
  });

  it("asks for confirmation before it lowers a role", async () => {
    const email = "anna@example.com";
    await admin(here, "set-member", { email, role: "admin", name: "Anna" });
    const roleOf = async () => {
      const all = await admin<{ email: string; name: string; role: string }[]>(here, "list-members");
      const { name, role } = all.find((one) => one.email === email) ?? {};
      return `${name}: ${role}`;
    };
    const fields = { email: "Anna@example.com", name: "Anna Berg", role: "member" };
    const asked = await browser.post(`${base}/members`, fields);
    expect(asked.status).toBe(200);
    const page = await asked.text();
    expect(page).toContain("anna@example.com is now an admin and will become a member.");
    for (const [name, value] of Object.entries({ ...fields, confirmed: "admin" }))
      expect(page).toContain(`<input type="hidden" name="${name}" value="${value}"`);
    expect(await roleOf()).toBe("Anna: admin");
    expect((await browser.post(`${base}/members`, { ...fields, confirmed: "admin" })).status).toBe(303);
    expect(await roleOf()).toBe("Anna Berg: member");
    expect((await browser.post(`${base}/members`, fields)).status).toBe(303);
    expect(page).toContain("They will be signed out of these settings.");
    await admin(here, "set-member", { email, role: "owner" });
    const kept = await (await browser.post(`${base}/members`, { ...fields, role: "admin" })).text();
    expect(kept).toContain("anna@example.com is now an owner and will become an admin.");
    expect(kept).not.toContain("They are signed out");
    const unknown = await browser.post(`${base}/members`, { ...fields, role: "boss" });
    expect([unknown.status, alertOf(await unknown.text())]).toEqual([400, expect.stringContaining("Role")]);
    await admin(here, "set-member", { email, role: "none" });
  });

  it("selects the role member by default and keeps another choice", async () => {
    const chosen = (page: string) => /<option value="(\w+)" selected/.exec(page)?.[1];
    expect(chosen(await browser.read(`${base}/members`))).toBe("member");
    const refused = await browser.post(`${base}/members`, { email: "kim", role: "admin" });
    expect(chosen(await refused.text())).toBe("admin");
  });

  it.each<[string, string, string, (length: number) => object]>([
    ["tokens/new", "name", "create_api_token", (length) => ({ name: "n".repeat(length) })],
    ["members", "name", "set_member", (length) => ({ ...kim, name: "n".repeat(length) })],
    ["webhooks/new", "url", "create_webhook_endpoint", (length) => ({ url: target.padEnd(length, "a") })],
    [
      "webhooks/new",
      "description",
      "create_webhook_endpoint",
      (length) => ({ url: target, description: "n".repeat(length) }),
    ],
  ])("on %s has the same length limit for %s as its operation", async (page, field, operation, of) => {
    const input = new RegExp(`name="${field}"[^>]* maxlength="(\\d+)"`);
    const longest = Number(input.exec(await browser.read(`${base}/${page}`))?.[1]);
    expect((await browser.rpc(operation, of(longest))).status).toBe(200);
    expect((await browser.rpc(operation, of(longest + 1))).status).toBe(400);
  });

  it("returns an error that lists the known fields if a field is unknown", async () => {
    const refused = await browser.post(`${base}/members`, { email: "kim@example.com", nam: "Kim" });
    expect(alertOf(await refused.text())).toBe("nam is not a known field (fields: email, role, name)");
  });

  it("treats a blank field as empty", async () => {
    const saved = await browser.post(`${base}/members`, {
      email: "kim@example.com",
      role: "member",
      name: " ",
    });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${base}/members?done=invited`]);
  });

  it("uses the last value of a repeated field", async () => {
    const fields: [string, string][] = [
      ["name", "First"],
      ["name", "Last"],
      ["scopes", "client:read"],
    ];
    const page = await (await browser.post(`${base}/tokens`, fields)).text();
    expect(page).toContain("<bdi>Last</bdi>");
  });

  it("does not select an unavailable scope, even after an error", async () => {
    const refused = await browser.post(`${base}/tokens`, { name: "x", scopes: "invoice:issue" });
    const page = await refused.text();
    expect([refused.status, alertOf(page)]).toEqual([400, "Scope not available yet"]);
    expect(page).not.toMatch(/value="invoice:issue"[^>]* checked/);
  });

  it("may have at most 64 KB", async () => {
    const statusOf = async (bytes: number) =>
      (await browser.post(`${base}/tokens`, { name: "x".repeat(bytes - "name=".length) })).status;
    expect([await statusOf(64 * 1024), await statusOf(64 * 1024 + 1)]).toEqual([400, 413]);
  });
});

it("a failing page hides the cause and logs it", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the disk is full"));
  const answer = await browser.fetch(`${base}/plan`);
  const page = await answer.text();
  expect([answer.status, page.includes("Something went wrong"), page.includes("disk")]).toEqual([
    500,
    true,
    false,
  ]);
  const [line] = logged.mock.calls.map(String);
  expect(line).toContain("the disk is full");
  expect(line).toContain(answer.headers.get("x-request-id"));
});
