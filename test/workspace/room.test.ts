import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { warnOfDatabaseSize } from "../../src/core/operator/report-database-size.ts";
import { servicesOf } from "../../src/services.ts";
import { admin, refusal } from "../support/admin.ts";
import { pngOfBytes } from "../support/images.ts";
import { watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import { postProcessorEvent } from "../support/processor.ts";
import { makeRecords } from "../support/records.ts";
import { ask, writeRoutes } from "../support/requests.ts";
import {
  aDeliverable,
  countRows,
  imagesInBucket,
  makeDeliverable,
  makeStudio,
  readDeliverable,
  type Studio,
} from "../support/review.ts";
import { Reviewer } from "../support/reviewer.ts";
import { rowCounts } from "../support/rows.ts";
import { intentSucceeded, stripeIdOf } from "../support/stripe.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

async function roomFor(
  { organizationId }: Workspace,
  { storage_mb = null as number | null, records = null as number | null },
) {
  const name = crypto.randomUUID();
  await sql(
    `INSERT INTO plans (name, api_access, requests_per_minute, storage_mb, records_cap, mails_per_day)
      VALUES (?, 1, 1000, ?, ?, 1000)`,
    name,
    storage_mb,
    records,
  );
  await sql("UPDATE organizations SET plan = ? WHERE id = ?", name, organizationId);
}

const roomOf = async ({ organizationId }: Workspace) =>
  env.DB.prepare("SELECT record_count, storage_bytes FROM organizations WHERE id = ?")
    .bind(organizationId)
    .first<{ record_count: number; storage_bytes: number }>();
const told = async (answer: Response) => [answer.status, await answer.json()];
const over = (resource: string) => [
  422,
  expect.objectContaining({ code: "upgrade_required", resource, error: expect.any(String) }),
];

async function issued(studio: Studio): Promise<string> {
  const line_items = [{ description: "Work", quantity: 1, unit_price: 100 }];
  const answer = await post(studio, "/api-v1/invoices", { client_id: studio.clientId, line_items });
  const { id } = await answer.json<{ id: string }>();
  await admin(studio, "issue-invoice", { id });
  return id;
}

describe("records", () => {
  const creates = writeRoutes.filter(({ route }) => route.kind === "write" && route.status === 201);

  it.each(creates)("$name returns 422 and writes nothing over the plan's limit [N2]", async ({ route }) => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const before = await roomOf(workspace);
    await roomFor(workspace, { records: (before?.record_count ?? 0) + 1 });
    expect((await ask(route, workspace, {}, records)).status).toBe(201);
    const full = await roomOf(workspace);
    expect(full?.record_count).toBe((before?.record_count ?? 0) + 1);
    const changed =
      route.path === "/api-ingest-request" ? { body: { client_id: records.client_id, content: "x" } } : {};
    expect(await told(await ask(route, workspace, changed, records))).toEqual(over("records"));
    expect(await roomOf(workspace)).toEqual(full);
  });

  it("count as one more for each ten child records", async () => {
    const studio = await makeStudio();
    const start = (await roomOf(studio))?.record_count ?? 0;
    const line = { description: "Work", quantity: 1, unit_price: 1 };
    const invoice = (lines: number) =>
      post(studio, "/api-v1/invoices", { client_id: studio.clientId, line_items: Array(lines).fill(line) });
    const counts = [];
    for (const lines of [9, 10, 20]) {
      await invoice(lines);
      counts.push((await roomOf(studio))?.record_count);
    }
    expect(counts).toEqual([start + 1, start + 3, start + 6]);
  });

  it.each([
    ["x", 1, 9_999],
    ["x", 2, 10_000],
    ["漢", 1, 9_999],
    ["漢", 2, 10_000],
  ])(
    "count evidence that repeats %j as %i additional records if it has %i bytes with its metadata",
    async (letter, more, bytes) => {
      const studio = await makeStudio();
      const start = (await roomOf(studio))?.record_count ?? 0;
      const metadata = { note: letter.repeat(1500) };
      const { length: own } = Buffer.from(JSON.stringify({ ...metadata, api_token_id: crypto.randomUUID() }));
      const content = `${letter.repeat(1000)}${"x".repeat(bytes - own - Buffer.from(letter).length * 1000)}`;
      const ingest = { client_id: studio.clientId, content, metadata };
      expect((await post(studio, "/api-ingest-request", ingest)).status).toBe(201);
      expect((await roomOf(studio))?.record_count).toBe(start + 1 + more);
    },
  );

  it("restore the previous counts when they are deleted, whatever their kind", async () => {
    const studio = await makeStudio();
    const { organizationId, clientId: client_id, projectId: project_id } = studio;
    const before = await roomOf(studio);
    const made = async (path: string, body: object) => {
      const answer = await post(studio, path, body);
      expect(answer.status).toBe(201);
      return (await answer.json<{ id: string }>()).id;
    };
    const milestones = Array(20).fill({ name: "Start" });
    const line_items = Array(20).fill({ description: "Work", quantity: 1, unit_price: 1 });
    const client = await made("/api-v1/clients", { client_name: "Kim" });
    const project = await made("/api-v1/projects", { client_id, name: "Relaunch", milestones });
    const entry = { project_id, hours: 1, spent_date: "2026-01-31" };
    const [time, invoice, evidence] = [
      await made("/api-v1/time-entries", entry),
      await made("/api-v1/invoices", { client_id, line_items }),
      await made("/api-ingest-request", { client_id, content: "x".repeat(10_000) }),
    ];
    const deliverable = await makeDeliverable(studio);
    await made(`/api-v1/deliverables/${deliverable}/versions`, { image_base64: pngOfBytes(1_000) });
    const rows: [string, string][] = [
      ["scope_request_evidence WHERE id", evidence],
      ["invoice_line_items WHERE invoice_id", invoice],
      ["invoices WHERE id", invoice],
      ["time_entries WHERE id", time],
      ["milestones WHERE project_id", project],
      ["projects WHERE id", project],
      ["clients WHERE id", client],
      ["stored_images WHERE organization_id", organizationId],
      ["deliverable_versions WHERE deliverable_id", deliverable],
      ["deliverables WHERE id", deliverable],
    ];
    // Triggers allow deleting versions only during an erasure.
    await env.DB.batch([
      env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
      ...rows.map(([where, id]) => env.DB.prepare(`DELETE FROM ${where} = ?`).bind(id)),
      env.DB.prepare("DELETE FROM erasures WHERE id = ?").bind(organizationId),
    ]);
    expect(await roomOf(studio)).toEqual(before);
  });

  it("count only for the part that remains after their client is erased", async () => {
    const studio = await makeStudio();
    const ingest = { client_id: studio.clientId, content: "x".repeat(14_900) };
    for (const external_id of ["one", "two"])
      expect((await post(studio, "/api-ingest-request", { ...ingest, external_id })).status).toBe(201);
    const before = (await roomOf(studio))?.record_count ?? 0;
    await admin(studio, "erase-client", { id: studio.clientId });
    expect((await roomOf(studio))?.record_count).toBe(before - 4);
    await env.DB.prepare("DELETE FROM scope_request_evidence WHERE organization_id = ?")
      .bind(studio.organizationId)
      .run();
    expect((await roomOf(studio))?.record_count).toBe(before - 6);
  });

  const recorded: [string, string, (studio: Studio) => Promise<Record<string, unknown>>][] = [
    [
      "a payment",
      "record-payment",
      async (studio) => ({ invoice: await issued(studio), amount: 1, collected_via: "offline" }),
    ],
    [
      "a revision override",
      "record-revision-override",
      async ({ projectId }) => ({ project: projectId, rounds: 1, reason: "Asked for" }),
    ],
    [
      "a change order",
      "create-change-order",
      async ({ projectId }) => ({ project: projectId, title: "More", amount: 1 }),
    ],
    [
      "a change decision",
      "send-change-decision",
      async ({ projectId }) => ({ project: projectId, title: "More", kind: "decision" }),
    ],
    ["a deposit", "create-deposit", async ({ projectId }) => ({ project: projectId, amount: 1 })],
    [
      "feedback",
      "record-feedback",
      async (studio) => ({
        deliverable: await makeDeliverable(studio),
        kind: "comment",
        body: "Hello",
        author_name: "Nora",
      }),
    ],
  ];

  it.each(recorded)("include %s that an admin records, so that %s fails at the limit", async (...named) => {
    const [, operation, fieldsFor] = named;
    const studio = await makeStudio();
    const fields = await fieldsFor(studio);
    const before = (await roomOf(studio))?.record_count ?? 0;
    await roomFor(studio, { records: before + 1 });
    await admin(studio, operation, fields);
    expect((await roomOf(studio))?.record_count).toBe(before + 1);
    const rows = await rowCounts(studio);
    expect((await refusal(studio, operation, fields)).message).toBe("Your plan's record limit is reached");
    expect(await rowCounts(studio)).toEqual(rows);
  });

  it("never block a processor payment, a sign-off or a client's feedback [N2]", async () => {
    const studio = await makeStudio();
    const [invoice_id, id] = [await issued(studio), await makeDeliverable(studio)];
    const deposit = await admin(studio, "create-deposit", { project: studio.projectId, amount: 1 });
    await roomFor(studio, { records: 0 });
    const before = await roomOf(studio);
    const named: Record<string, string>[] = [{ invoice_id }, { deposit_id: String(deposit.id) }];
    const paid = named.map((metadata) =>
      intentSucceeded({ intent: stripeIdOf("pi"), amount: 100, metadata }),
    );
    for (const event of paid) expect((await postProcessorEvent(event)).status).toBe(200);
    const visitor = new Reviewer((await readDeliverable(studio, id)).share_url);
    expect((await visitor.comment("Lovely")).status).toBe(303);
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
    expect([
      await countRows("payments", studio),
      await countRows("feedback", studio),
      await countRows("sign_offs", studio),
    ]).toEqual([1, 1, 1]);
    expect(await roomOf(studio)).toEqual(before);
  });

  it("are shown to admins", async () => {
    const studio = await makeStudio();
    const organization = await admin(studio, "set-on-send-status", { label: "Sent" });
    expect(organization).toMatchObject({ record_count: 2, storage_bytes: 0 });
  });
});

describe("images", () => {
  const bytes = 400_000;
  const image = (salt: number) => pngOfBytes(bytes + salt);

  it("are counted once each, and every route returns 422 over the limit", async () => {
    const studio = await makeStudio();
    await roomFor(studio, { storage_mb: 1 });
    const id = await makeDeliverable(studio, { image_base64: image(1) });
    await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "Carries the image on" });
    expect((await roomOf(studio))?.storage_bytes).toBe(bytes + 1);
    const legacy = await call(studio, "/api-create-deliverable", {
      body: aDeliverable(studio, { image_base64: image(2) }),
    });
    expect(legacy.status).toBe(201);
    expect((await roomOf(studio))?.storage_bytes).toBe(2 * bytes + 3);
    const put = vi.spyOn(env.IMAGES, "put");
    const refused = [
      await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: image(3) }),
      await post(studio, "/api-v1/deliverables", aDeliverable(studio, { image_base64: image(3) })),
      await call(studio, "/api-create-deliverable", {
        body: aDeliverable(studio, { image_base64: image(3) }),
      }),
    ];
    for (const answer of refused) expect(await told(answer)).toEqual(over("storage"));
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
    expect(await imagesInBucket(studio)).toHaveLength(2);
    expect([await countRows("deliverables", studio), await countRows("stored_images", studio)]).toEqual([
      2, 2,
    ]);
    expect((await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "No image" })).status).toBe(
      201,
    );
  });

  it("may fill the storage to the last byte", async () => {
    const studio = await makeStudio();
    await roomFor(studio, { storage_mb: 1 });
    const exactly = aDeliverable(studio, { image_base64: pngOfBytes(1_000_000) });
    expect((await post(studio, "/api-v1/deliverables", exactly)).status).toBe(201);
    const more = aDeliverable(studio, { image_base64: pngOfBytes(100) });
    expect((await post(studio, "/api-v1/deliverables", more)).status).toBe(422);
  });

  it("are counted once for a later version", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const append = () =>
      post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: image(5) }, "once");
    expect([(await append()).status, (await append()).status]).toEqual([201, 200]);
    expect((await roomOf(studio))?.storage_bytes).toBe(bytes + 5);
  });

  it.each(["/api-v1/deliverables", "/api-create-deliverable"])(
    "%s stores only one of two concurrent images if there is room for only one",
    async (path) => {
      const studio = await makeStudio();
      await roomFor(studio, { storage_mb: 1 });
      const at = (salt: number) =>
        post(studio, path, aDeliverable(studio, { image_base64: pngOfBytes(600_000 + salt) }));
      vi.spyOn(console, "error").mockImplementation(() => {});
      const answers = await Promise.all([at(1), at(2)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
      const refused = answers.find(({ status }) => status === 422) as Response;
      expect(await told(refused)).toEqual(over("storage"));
      expect([await countRows("deliverables", studio), (await imagesInBucket(studio)).length]).toEqual([
        1, 1,
      ]);
    },
  );
});

it("a deliverable has at most 500 versions [N4]", async () => {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio);
  const rows = `WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
    INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, previous_hash,
      hash, created_by, created_at)
    SELECT ?2 || '-' || n, ?1, ?2, n, 'Next',
      iif(n = 2, (SELECT hash FROM deliverable_versions WHERE deliverable_id = ?2
        AND version_number = 1), 'hash ' || (n - 1)),
      'hash ' || n, ?4, '2026-01-31T09:30:00.000Z' FROM n`;
  await sql(rows, studio.organizationId, id, 499, studio.ownerId);
  const append = (body: object) => post(studio, `/api-v1/deliverables/${id}/versions`, body);
  expect((await append({ note: "The last" })).status).toBe(201);
  const put = vi.spyOn(env.IMAGES, "put");
  expect(await told(await append({ image_base64: pngOfBytes(100) }))).toEqual(over("versions"));
  expect(put).not.toHaveBeenCalled();
  const past = sql(
    `INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, previous_hash,
      hash, created_by, created_at)
     SELECT 'past', organization_id, deliverable_id, 501, 'Next', hash, 'x', created_by, created_at
     FROM deliverable_versions WHERE deliverable_id = ? AND version_number = 500`,
    id,
  );
  await expect(past).rejects.toThrow("too_many_versions");
});

describe("the size of the database", () => {
  const sized = (bytes: number): D1Database =>
    new Proxy(env.DB, {
      get: (db, name) =>
        name === "prepare"
          ? (text: string) =>
              text === "SELECT percent, mailed_at FROM size_notices"
                ? {
                    all: async () => {
                      const found = await db.prepare(text).all();
                      return { ...found, meta: { ...found.meta, size_after: bytes } };
                    },
                  }
                : db.prepare(text)
          : Reflect.get(db, name).bind(db),
    });
  const minute = (gigabytes: number, operatorEmail = "ops@example.com") =>
    warnOfDatabaseSize({ ...servicesOf(env), operatorEmail, db: sized(gigabytes * 1e9) });

  it("is e-mailed to the operator once above 70 % and once above 90 % [O14]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await sql("DELETE FROM size_notices");
    const mails = watchMails();
    const subjects = () => mails.map(({ to, subject }) => `${to} ${subject}`);
    await minute(7.1, "");
    for (const size of [6.9, 6.999]) await minute(size);
    expect(subjects()).toEqual([]);
    await minute(7.0);
    await minute(7.1);
    expect(mails[0]?.text).toContain("7000000000");
    expect(subjects()).toEqual(["ops@example.com The database is past 70 %"]);
    for (const size of [9.1, 9.1, 8.6, 9.1, 6.5, 7.2]) await minute(size);
    expect(subjects().slice(1)).toEqual(["ops@example.com The database is past 90 %"]);
    for (const size of [6.4, 7.2]) await minute(size);
    expect(subjects().slice(2)).toEqual(["ops@example.com The database is past 70 %"]);
  });

  it("is e-mailed once by two concurrent cron runs", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await sql("DELETE FROM size_notices");
    const mails = watchMails();
    await Promise.all([minute(7.5), minute(7.5)]);
    expect(mails).toHaveLength(1);
  });

  it("is e-mailed again five minutes after a cron run crashed while sending", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const mails = watchMails();
    const leasedFor = (minutes: number) =>
      sql(`UPDATE size_notices SET leased_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${minutes} minutes')`);
    await sql("DELETE FROM size_notices");
    await sql("INSERT INTO size_notices (percent) VALUES (70)");
    await leasedFor(4);
    await minute(7.5);
    expect(mails).toEqual([]);
    for (const _ of ["mails it", "finds it mailed"]) {
      await leasedFor(6);
      await Promise.all([minute(7.5), minute(7.5)]);
      expect(mails).toHaveLength(1);
    }
  });

  it("is e-mailed above 90 % even if a cron run crashed while sending", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await sql("DELETE FROM size_notices");
    await sql("INSERT INTO size_notices (percent) VALUES (90)");
    const mails = watchMails();
    await minute(9.5);
    await sql("UPDATE size_notices SET leased_at = '2026-01-31T09:30:00.000Z'");
    await minute(9.5);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "The database is past 70 %",
      "The database is past 90 %",
    ]);
  });

  it("is e-mailed once even if the update after sending is lost", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await sql("DELETE FROM size_notices");
    const mails = watchMails();
    let isLost = false;
    setTripOutcomes(() => {
      const isWord = mails.length > 0 && !isLost;
      isLost ||= isWord;
      return isWord ? "lost" : "through";
    });
    await minute(7.5);
    restoreDatabase();
    await sql("UPDATE size_notices SET leased_at = '2026-01-31T09:30:00.000Z'");
    await minute(7.5);
    expect([mails.length, isLost]).toEqual([1, true]);
  });

  it("is e-mailed again by the next cron run if the e-mail failed", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    await sql("DELETE FROM size_notices");
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    await expect(minute(7.5)).rejects.toThrow("E_TEMPORARY");
    const mails = watchMails();
    await minute(7.5);
    expect(mails).toHaveLength(1);
  });
});

it.each([
  ["free", 1000, 5_000],
  ["solo", 10_000, 50_000],
  ["studio", 100_000, 200_000],
  ["agency", 1_000_000, 500_000],
])("the plan %s allows %i MB and %i records [A15]", async (name, storage_mb, records_cap) => {
  const plan = await env.DB.prepare("SELECT storage_mb, records_cap FROM plans WHERE name = ?")
    .bind(name)
    .first();
  expect(plan).toEqual({ storage_mb, records_cap });
});
