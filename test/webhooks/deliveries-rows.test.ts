import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { run } from "../../src/db/query.ts";
import { searchDeliveries } from "../../src/webhooks/deliveries/read-deliveries.ts";
import { endpointHealth } from "../../src/webhooks/endpoints/read-endpoints.ts";
import { metered } from "../support/metered.ts";
import { insertEndpoint, ownerAtHome } from "../support/settings.ts";

/** The rows that searches and pages read with 60,000 waiting deliveries. */

const many = 60_000;
const endpoints = 10;
const subject = crypto.randomUUID();
/** The most rows that a search or an endpoint's figures may read, including the page itself. */
const mostRows = 2_000;

let home: Awaited<ReturnType<typeof ownerAtHome>>;
let ids: string[];

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

beforeAll(async () => {
  home = await ownerAtHome();
  const { organizationId } = home.here;
  ids = [];
  for (let index = 0; index < endpoints; index += 1) {
    ids.push(await insertEndpoint(home.here, { enabled: 0, disabled_reason: "admin" }));
  }
  // Half of the events are about one record. All deliveries except the following ones are held.
  await sql(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
     INSERT INTO events (organization_id, event, subject_id, payload)
     SELECT ?2, 'endpoint.test', iif(n % 2, ?3, 'another'), '{}' FROM number`,
    many,
    organizationId,
    subject,
  );
  await sql(
    `INSERT INTO webhook_deliveries (organization_id, endpoint_id, event_id, event, created_at)
     SELECT organization_id, ?2 ->> ('$[' || iif(sequence % 3, 0, sequence % 10) || ']'), id, 'invoice.sent',
       strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (sequence % 60000) || ' seconds')
     FROM events WHERE organization_id = ?1`,
    organizationId,
    JSON.stringify(ids),
  );
}, 60_000);

const fields = {
  endpoint: () => ids[0] as string,
  event: () => "invoice.paid",
  since: () => "2026-01-01T00:00:00.000Z",
  until: () => "2026-02-01T00:00:00.000Z",
  subject_id: () => subject,
  http_status: () => 500,
};
const names = Object.keys(fields) as (keyof typeof fields)[];
const statuses = [undefined, "pending", "delivered", "dead"] as const;

it("a search of deliveries reads at most 2,000 rows for every combination of filters, even after a cursor [N11]", async () => {
  const tooMany: unknown[] = [];
  for (let set = 0; set < 2 ** names.length; set += 1) {
    const given = names.filter((_, index) => set & (1 << index));
    const filter = Object.fromEntries(given.map((name) => [name, fields[name]()]));
    for (const status of statuses) {
      const search = { ...filter, ...(status && { status }), limit: 50 };
      const { answer, read } = await metered(() =>
        searchDeliveries(env.DB, home.here.organizationId, search),
      );
      if (read > mostRows) tooMany.push([given, status, read]);
      const cursor =
        answer instanceof Refusal ? /^cursor=(.+)/.exec(answer.hint ?? "")?.[1] : answer.at(-1)?.id;
      if (!cursor) continue;
      const next = await metered(() =>
        searchDeliveries(env.DB, home.here.organizationId, { ...search, cursor }),
      );
      if (next.read > mostRows) tooMany.push([given, status, "behind a cursor", next.read]);
    }
  }
  expect(tooMany).toEqual([]);
}, 60_000);

it("a search for another workspace's endpoint reads no deliveries", async () => {
  const { here } = await ownerAtHome();
  for (const status of statuses) {
    const search = { endpoint: ids[0] as string, ...(status && { status }), limit: 50 };
    const { answer, read } = await metered(() => searchDeliveries(env.DB, here.organizationId, search));
    expect([answer, read < 10 || read]).toEqual([[], true]);
  }
});

it("a search among many events without deliveries ends early, with a cursor", async () => {
  const { here } = await ownerAtHome();
  const endpoint = await insertEndpoint(here);
  const about = crypto.randomUUID();
  await sql(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 600)
     INSERT INTO events (organization_id, event, subject_id, payload)
     SELECT ?1, 'endpoint.test', ?2, '{}' FROM number`,
    here.organizationId,
    about,
  );
  await sql(
    `INSERT INTO webhook_deliveries (organization_id, endpoint_id, event_id, event)
     SELECT organization_id, ?2, id, event FROM events WHERE subject_id = ?1 ORDER BY sequence LIMIT 1`,
    about,
    endpoint,
  );
  let cursor: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const search = { subject_id: about, limit: 50, ...(cursor && { cursor }) };
    const { answer, read } = await metered(() => searchDeliveries(env.DB, here.organizationId, search));
    expect(read).toBeLessThanOrEqual(mostRows);
    if (!(answer instanceof Refusal)) {
      expect(answer).toMatchObject([{ endpoint_id: endpoint }]);
      return;
    }
    cursor = /^cursor=(.+)/.exec(answer.hint ?? "")?.[1];
  }
  expect.unreachable("the delivery was not found");
});

describe("with 60,000 held deliveries,", () => {
  it.each(["", "/deliveries", "/deliveries?status=pending", "/webhooks", "/webhooks/:id"])(
    "the page %j reads a bounded number of rows [W28]",
    async (page) => {
      const path = page.replace(":id", ids[0] as string);
      const { answer, read } = await metered(() => home.browser.fetch(home.base + path));
      expect(answer.status).toBe(200);
      expect(read).toBeLessThanOrEqual(page === "/webhooks" ? endpoints * mostRows : 2 * mostRows);
    },
  );

  it("the health figures count up to a limit, which the pages mark with a plus sign [W28]", async () => {
    const [id = ""] = ids;
    const health = await metered(() => run(env.DB, endpointHealth(home.here.organizationId, id)));
    expect(health.answer).toMatchObject({ pending_backlog: 1_000, dead_letters: 0 });
    expect(health.read).toBeLessThanOrEqual(mostRows);
    expect(await home.browser.read(`${home.base}/webhooks/${id}`)).toContain(
      "1000+ deliveries wait here, and new ones will.",
    );
  });
});
