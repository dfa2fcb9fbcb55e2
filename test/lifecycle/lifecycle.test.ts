import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getTableColumns, getTableName } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { columnsLeftOut, tablesLeftOut } from "../../src/lifecycle/export-organization.ts";
import { ownTables } from "../../src/lifecycle/rows-of-organization.ts";
import { clients } from "../../src/work/clients/tables.ts";
import { admin, callAdmin, refusal } from "../support/admin.ts";
import { coordinatorStub, loggedRequest } from "../support/coordinator.ts";
import { type FilledWorkspace, insert, sql } from "../support/filled-workspace.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { metered } from "../support/metered.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import { makeClient, makeDeliverable } from "../support/review.ts";
import { makeReview } from "../support/reviewer.ts";
import { everyRowOf, makeWholeWorkspace } from "../support/whole-workspace.ts";
import { insertToken, makeWorkspace } from "../support/workspace.ts";

/** What an export contains, and which rows an erasure leaves (contract X1-X4). */

interface FilePart {
  file: string;
  text: string | null;
  base64: string | null;
}

interface Step {
  files: FilePart[];
  rows: number;
  images: number;
  next: string | null;
}

const partsOf = (steps: readonly Step[]): FilePart[] => steps.flatMap(({ files }) => files);

/** Runs an operation to completion, like the command line does. */
async function stepsOf(
  here: Pick<FilledWorkspace, "organizationId">,
  name: string,
  fields = {},
): Promise<Step[]> {
  const steps = [await admin<Step>(here, name, fields)];
  for (let next = steps[0]?.next; next; next = steps.at(-1)?.next)
    steps.push(await admin<Step>(here, name, { ...fields, position: next }));
  return steps;
}

const addAuditLines = (
  { organizationId }: Pick<FilledWorkspace, "organizationId">,
  lines: number,
  of: string | null,
) =>
  sql(
    `INSERT INTO audit_log (organization_id, actor, action, subject_id, details)
      SELECT ?, 'x', 'deliverable.signed_off', ?, '{"signer_name":"Nora Wind"}'
      FROM json_each('[0' || replace(hex(zeroblob(?)), '00', ',0') || ']')`,
    organizationId,
    of,
    lines - 1,
  );

const folderOf = ({ organizationId }: Pick<FilledWorkspace, "organizationId">) =>
  `organizations/${organizationId}/`;

async function storeImages(here: FilledWorkspace, ...sizes: number[]): Promise<string[]> {
  const paths = sizes.map((_, index) => `${folderOf(here)}deliverables/x/${index}.png`);
  for (const [index, size] of sizes.entries())
    await env.IMAGES.put(paths[index] ?? "", new Uint8Array(size).fill(index + 1));
  return paths;
}

const imagesOf = async (here: Pick<FilledWorkspace, "organizationId">) =>
  (await env.IMAGES.list({ prefix: folderOf(here) })).objects.map(({ key }) => key);

const tablesOfOrganizations = async () =>
  (
    await sql<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql GLOB '*organization_id*'",
    )
  ).map(({ name }) => name);

describe("export-organization", () => {
  let here: FilledWorkspace;
  let steps: Step[];
  beforeAll(async () => {
    here = await makeWholeWorkspace();
    await sql(
      `INSERT INTO clients (id, organization_id, company_name)
        SELECT lower(hex(randomblob(16))), ?, 'Client ' || value
        FROM json_each('[0' || replace(hex(zeroblob(249)), '00', ',0') || ']')`,
      here.organizationId,
    );
    await storeImages(here, 10, 1024 * 1024 + 3);
    const [token] = await sql("SELECT id FROM api_tokens WHERE organization_id = ?", here.organizationId);
    const asked = Array.from({ length: loggedRequests }, () =>
      loggedRequest({ token_id: String(token?.id) }),
    );
    await coordinatorStub(here).logRequests(asked);
    steps = await stepsOf(here, "export-organization");
  });
  /** There are more requests than one step reads. */
  const loggedRequests = 250;
  const linesOf = (table: string) =>
    partsOf(steps)
      .filter(({ file }) => file === `${table}.jsonl`)
      .flatMap(({ text }) => (text ?? "").split("\n").slice(0, -1))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it("writes every row of the organization once, except in the omitted tables [X1]", async () => {
    const rows = await everyRowOf(here);
    expect([...rows.keys()].sort()).toEqual([...(await tablesOfOrganizations()), "organizations"].sort());
    const exported = [...rows].filter(([table]) => !tablesLeftOut.includes(table));
    for (const [table, { length }] of exported) {
      const lines = linesOf(table);
      expect([table, lines.length]).toEqual([table, length]);
      expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(length);
    }
    expect(linesOf("clients")).toHaveLength(251);
    expect(new Set(partsOf(steps).map(({ file }) => file.replace(/^images.*/, "images")))).toEqual(
      new Set([...exported.map(([table]) => `${table}.jsonl`), "request_log.jsonl", "images"]),
    );
  });

  it("writes every logged request once, without a token [X1]", async () => {
    const lines = linesOf("request_log");
    expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(loggedRequests);
    expect(lines[0]).toMatchObject({ route: "/api-v1/clients", token: { name: "Timer" } });
  });

  it("writes every exported column, with booleans and lists as JSON", async () => {
    const [organization] = linesOf("organizations");
    expect(organization).toMatchObject({ id: here.organizationId, features: ["connector_api_ingest"] });
    expect(linesOf("webhook_endpoints").map(({ enabled }) => enabled)).toContain(false);
    for (const { table } of ownTables.filter((own) => !tablesLeftOut.includes(getTableName(own.table)))) {
      const name = getTableName(table);
      const columns = Object.keys(getTableColumns(table)).filter(
        (each) => !columnsLeftOut[name]?.includes(each),
      );
      expect(Object.keys(linesOf(name)[0] ?? {})).toEqual(columns);
    }
  });

  it("omits every credential", () => {
    const harmless = ["hash", "previous_hash", "version_hash"];
    const kept = ownTables.flatMap(({ table }) => {
      const name = getTableName(table);
      const left = tablesLeftOut.includes(name)
        ? Object.keys(getTableColumns(table))
        : (columnsLeftOut[name] ?? []);
      return Object.keys(getTableColumns(table)).filter((column) => !left.includes(column));
    });
    expect(
      kept.filter((column) => /hash|encrypted|secret$/.test(column) && !harmless.includes(column)),
    ).toEqual([]);
  });

  it("adds one audit log entry, which the export includes", async () => {
    const [other, operator] = [await makeWholeWorkspace(), "kim@laptop"];
    const ofSteps = await stepsOf(other, "export-organization", { operator });
    expect(ofSteps.length).toBeGreaterThan(20);
    const log = await admin<{ action: string }[]>(other, "audit-log", { limit: "1000" });
    expect(log.filter(({ action }) => action === "organization.exported")).toEqual([
      expect.objectContaining({
        ...{ subject_id: other.organizationId, operator, details: {} },
        actor: `owner@${other.organizationId}.example`,
      }),
    ]);
    expect(partsOf(ofSteps).find(({ file }) => file === "audit_log.jsonl")?.text).toContain(
      "organization.exported",
    );
  });

  it("reads pages of 100 rows, each from its first row", async () => {
    expect(Math.max(...steps.map(({ rows }) => rows))).toBe(100);
    const { most } = await metered(() => stepsOf(here, "export-organization"));
    expect(most).toBeLessThan(2 * 101);
  });

  it("writes every image, in parts of one megabyte", () => {
    const parts = Map.groupBy(
      partsOf(steps).filter(({ base64 }) => base64 !== null),
      ({ file }) => file,
    );
    const bytes = [...parts].map(([file, all]) => [
      file,
      all.reduce((sum, { base64 }) => sum + Uint8Array.fromBase64(base64 ?? "").length, 0),
      all.length,
    ]);
    expect(bytes).toEqual([
      [`images/${folderOf(here)}deliverables/x/0.png`, 10, 1],
      [`images/${folderOf(here)}deliverables/x/1.png`, 1024 * 1024 + 3, 2],
    ]);
    expect(steps.reduce((sum, { images }) => sum + images, 0)).toBe(2);
  });

  it("reads small images sixteen at a time, and each only once [X1]", async () => {
    const other = await makeWholeWorkspace();
    const paths = await storeImages(other, ...Array.from({ length: 40 }, (_, index) => index + 1));
    const ofImages = (await stepsOf(other, "export-organization")).filter(({ images }) => images > 0);
    expect(ofImages.map(({ images }) => images)).toEqual([16, 16, 8]);
    expect(partsOf(ofImages).map(({ file }) => file)).toEqual(paths.map((path) => `images/${path}`).sort());
  });

  it.each(['["nothing"]', '["clients","a","b"]', "clients", '["review_keys"]'])(
    "rejects the position %s",
    async (position) => {
      expect((await refusal(here, "export-organization", { position })).message).toBe(
        "position must be the `next` that the previous step returned",
      );
    },
  );

  it("never reads another workspace's image, whatever the position", async () => {
    const other = await makeWholeWorkspace();
    const [path] = await storeImages(other, 5);
    const position = JSON.stringify(["images", path, 1]);
    const step = await admin<Step>(here, "export-organization", { position });
    expect(JSON.stringify(step)).not.toContain(other.organizationId);
  });

  it("skips an image that is deleted while it runs", async () => {
    const path = `${folderOf(here)}deliverables/x/gone.png`;
    const step = await admin<Step>(here, "export-organization", {
      position: JSON.stringify(["images", path, 1]),
    });
    expect(step).toMatchObject({ files: [], images: 0, next: JSON.stringify(["images", path]) });
  });
});

describe("erase-organization", () => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(console, "log").mockImplementation(() => {});
  });
  const slugOf = ({ organizationId }: FilledWorkspace) => organizationId;

  it("leaves no row, image, coordinator data or open session [X3]", async () => {
    const [here, there] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
    await storeImages(here, 5, 6);
    const [kept] = await storeImages(there, 7);
    const token = await insertToken(here);
    await post({ token }, "/api-v1/clients", { company_name: "Acme" });
    await sql(
      "INSERT INTO sessions (token_hash, email, expires_at) VALUES (?, ?, '2099')",
      crypto.randomUUID(),
      `owner@${here.organizationId}.example`,
    );
    const before = await everyRowOf(there);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const steps = await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(steps.reduce((sum, { images }) => sum + images, 0)).toBe(2);
    const erased = { erased: "organization", organization_id: here.organizationId };
    expect(log.mock.calls).toContainEqual([JSON.stringify(erased)]);

    for (const table of ["organizations", ...(await tablesOfOrganizations())]) {
      const column = table === "organizations" ? "id" : "organization_id";
      expect([table, await sql(`SELECT * FROM ${table} WHERE ${column} = ?`, here.organizationId)]).toEqual([
        table,
        [],
      ]);
    }
    expect(await sql("SELECT * FROM erasures")).toEqual([]);
    expect(
      await sql("SELECT * FROM sessions WHERE email = ?", `owner@${here.organizationId}.example`),
    ).toEqual([]);
    expect(await imagesOf(here)).toEqual([]);
    await runInDurableObject(coordinatorStub(here), async (_, state) => {
      expect(
        state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT GLOB '_cf*'").toArray(),
      ).toEqual([]);
      expect(await state.storage.getAlarm()).toBeNull();
    });
    expect(await runDurableObjectAlarm(coordinatorStub(here))).toBe(false);
    expect(await everyRowOf(there)).toEqual(before);
    expect(await imagesOf(there)).toEqual([kept]);
    expect(await callAdmin("list-members", { organization: here.organizationId })).toMatchObject({
      message: `There is no organization ${here.organizationId}`,
    });
  });

  it("deletes the tokens first, so that calls return 401 even if it is interrupted later", async () => {
    const here = await makeWholeWorkspace();
    const token = await insertToken(here);
    expect((await call({ token }, "/api-v1/clients")).status).toBe(200);
    const batch = env.DB.batch.bind(env.DB);
    let trips = 0;
    const failing = vi.spyOn(env.DB, "batch").mockImplementation((statements) => {
      trips += 1;
      return trips > 3 ? Promise.reject(new Error("disk")) : batch(statements);
    });
    expect(await refusal(here, "erase-organization", { confirm: slugOf(here) })).toMatchObject({
      message: "Unexpected error",
    });
    failing.mockRestore();
    expect((await call({ token }, "/api-v1/clients")).status).toBe(401);
    await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(await sql("SELECT 1 FROM organizations WHERE id = ?", here.organizationId)).toEqual([]);
  });

  it("rejects a wrong confirm and erases nothing", async () => {
    const here = await makeWholeWorkspace();
    const before = await everyRowOf(here);
    for (const confirm of ["", "yes", "demo", slugOf(here).toUpperCase()]) {
      expect((await refusal(here, "erase-organization", { confirm })).message).toBe(
        `confirm must be the slug of the workspace to erase: ${slugOf(here)}`,
      );
    }
    expect(await everyRowOf(here)).toEqual(before);
  });

  it("continues after a failure in any of its transactions [X4]", async () => {
    const here = await makeWholeWorkspace();
    await addAuditLines(here, 450, null);
    let isDone = false;
    for (let failing = 2; !isDone && failing < 200; failing += 4) {
      setTripOutcomes((trip) => (trip === failing ? "lost" : "through"));
      const outcome = await callAdmin("erase-organization", {
        organization: here.organizationId,
        confirm: slugOf(here),
      });
      restoreDatabase();
      expect(await sql("SELECT * FROM erasures")).toEqual([]);
      isDone = outcome.ok;
    }
    expect(await sql("SELECT 1 FROM organizations WHERE id = ?", here.organizationId)).toEqual([]);
  });

  it("also erases rows and images that are written while it runs", async () => {
    const here = await makeWholeWorkspace();
    const [deliverable] = await sql<{ id: string }>(
      "SELECT id FROM deliverables WHERE organization_id = ?",
      here.organizationId,
    );
    expect(deliverable).toBeDefined();
    const list = env.IMAGES.list.bind(env.IMAGES);
    let isWritten = false;
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const answers = await batch(statements);
      const left = await sql("SELECT 1 FROM organizations WHERE id = ?", here.organizationId);
      if (left.length === 0) await storeImages(here, 5);
      return answers as never;
    });
    vi.spyOn(env.IMAGES, "list").mockImplementation(async (options) => {
      if (!isWritten) await here.own("clients", { company_name: "Late" });
      isWritten = true;
      return list(options);
    });
    const steps = await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(steps.length).toBe(2);
    expect(await sql("SELECT 1 FROM clients WHERE organization_id = ?", here.organizationId)).toEqual([]);
    expect(await imagesOf(here)).toEqual([]);
  });

  it("erases images that the bucket lists on several pages", async () => {
    const here = await makeWholeWorkspace();
    await storeImages(here, 5, 6, 7);
    const list = env.IMAGES.list.bind(env.IMAGES);
    vi.spyOn(env.IMAGES, "list").mockImplementation((options) => list({ ...options, limit: 1 }));
    const steps = await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(steps.reduce((sum, { images }) => sum + images, 0)).toBe(3);
    vi.mocked(env.IMAGES.list).mockRestore();
    expect(await imagesOf(here)).toEqual([]);
  });

  it("needs only one step for a small workspace", async () => {
    const here = await makeWholeWorkspace();
    await addAuditLines(here, 450, null);
    await sql(
      `INSERT INTO events (organization_id, event, subject_id, payload)
        SELECT ?, 'endpoint.test', 'x', '{}' FROM json_each(?)`,
      here.organizationId,
      JSON.stringify(Array(120).fill(0)),
    );
    const steps = await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(steps.map(({ next }) => next)).toEqual([null]);
  });

  it("runs 50 transactions per step and returns the position of the next step", async () => {
    const here = await makeWholeWorkspace();
    await addAuditLines(here, 6_000, null);
    const steps = await stepsOf(here, "erase-organization", { confirm: slugOf(here) });
    expect(steps.length).toBe(2);
    expect(steps[0]?.next).toMatch(/^[a-z_]+$/);
    expect(steps[0]?.rows).toBeGreaterThan(6_000);
    expect(await sql("SELECT 1 FROM organizations WHERE id = ?", here.organizationId)).toEqual([]);
  });
});

/** Creates a client and, through the public interfaces, a row about her in every table that can contain one. */
async function makePerson() {
  const mails = watchMails();
  const review = await makeReview();
  const { studio, id, visitor } = review;
  await insert("webhook_endpoints", {
    organization_id: studio.organizationId,
    ...{ url: "https://receiver.example.com", secret_encrypted: "x", created_by: studio.ownerId, enabled: 0 },
  });
  const fields = { client_id: studio.clientId, external_id: "mail-1", content: "Nora asks: one more page" };
  const metadata = { from: "nora@northwind.example" };
  const evidence = {
    ...fields,
    author_name: "Nora Wind",
    author_address: "nora@northwind.example",
    metadata,
  };
  const ingested = await post(studio, "/api-ingest-request", evidence);
  expect(ingested.status).toBe(201);
  const update = (fields: object) => admin(studio, "update-client", { id: studio.clientId, ...fields });
  await update({ email: "Wind@Northwind.example", company_name: "Wind Works" });
  await post(studio, `/api-v1/deliverables/${id}/send`, {});
  await update({ email: "Code.Wind@northwind.example" });
  expect((await visitor.post("code", {})).status).toBe(303);
  await update({ email: "Nora@Northwind.example", external_id: "nora-1", client_name: "Nora Wind" });
  await post(studio, `/api-v1/deliverables/${id}/send`, { message: "Dear Nora" });
  await visitor.follow(/^https:\S+$/m.exec((mails.at(-1) as SentMail).text)?.[0] ?? "");
  await visitor.comment("Nora was here");
  expect((await visitor.signOff()).status).toBe(303);
  const other = await makeDeliverable(studio);
  const returned = await makeDeliverable(studio);
  await post(studio, `/api-v1/deliverables/${returned}/send`, {});
  const [{ message_id } = { message_id: "" }] = await sql<{ message_id: string }>(
    "SELECT message_id FROM deliverable_sends WHERE deliverable_id = ?",
    returned,
  );
  await admin(studio, "record-mail-event", { message_id, kind: "bounced", reason: "550 Nora left" });
  await admin(studio, "record-feedback", {
    deliverable: other,
    kind: "comment",
    body: "Nora called",
    author_name: "Nora Wind",
  });
  await admin(studio, "sign-off-deliverable", { deliverable: other, signer_name: "Nora Wind" });
  const invoice = await post(studio, "/api-v1/invoices", {
    client_id: studio.clientId,
    line_items: [{ description: "Work", quantity: 1, unit_price: 10 }],
  });
  const invoiceId = (await invoice.json<{ id: string }>()).id;
  await admin(studio, "issue-invoice", { id: invoiceId });
  await admin(studio, "record-payment", { invoice: invoiceId, amount: "10", collected_via: "offline" });
  const deposit = await admin<{ id: string }>(studio, "create-deposit", {
    project: studio.projectId,
    amount: "5",
  });
  await admin(studio, "clear-deposit", { id: deposit.id });
  const order = await admin<{ id: string }>(studio, "create-change-order", {
    project: studio.projectId,
    title: "Second language",
    amount: "5",
  });
  await admin(studio, "send-change-order", { id: order.id });
  await admin(studio, "send-change-decision", {
    project: studio.projectId,
    title: "Go on",
    kind: "decision",
  });
  await answerWithPayloads(studio);
  return { ...review, evidence, invoiceId };
}

const answerWithPayloads = ({ organizationId }: Pick<FilledWorkspace, "organizationId">) =>
  sql(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms,
       response_status, response_body)
     SELECT webhook_deliveries.organization_id, webhook_deliveries.id, number.value, number.value, 1, 200, payload
     FROM webhook_deliveries JOIN events ON events.id = event_id JOIN json_each('[1,2]') AS number
     WHERE webhook_deliveries.organization_id = ?`,
    organizationId,
  );

const person = /nora|wind\b|203\.0\.113\.7|test browser/i;

const everythingOf = async (here: Pick<FilledWorkspace, "organizationId">) =>
  [...(await everyRowOf(here))].flatMap(([table, rows]) =>
    rows.map((row) => `${table} ${JSON.stringify(row)}`),
  );

describe("erase-client", () => {
  it("leaves none of the person's names, addresses or texts in any table [X2]", async () => {
    const { studio } = await makePerson();
    const told = await everythingOf(studio);
    const tables = new Set(told.filter((line) => person.test(line)).map((line) => line.split(" ")[0]));
    expect([...tables].sort()).toEqual([
      ...[
        "audit_log",
        "clients",
        "deliverable_sends",
        "deliverables",
        "events",
        "feedback",
        "mail_counts",
        "requests",
      ],
      ...["review_codes", "review_keys", "scope_request_evidence", "sign_offs", "webhook_attempts"],
    ]);
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect((await everythingOf(studio)).filter((line) => person.test(line))).toEqual([]);
    expect(await sql("SELECT * FROM erasures")).toEqual([]);
  });

  it("erases receivers' responses to the client's events only", async () => {
    const { studio, id } = await makePerson();
    const answered = () =>
      sql(
        "SELECT 1 FROM webhook_attempts WHERE organization_id = ? AND response_body IS NOT NULL",
        studio.organizationId,
      );
    expect((await answered()).length).toBeGreaterThan(10);
    for (const [subject_id, count] of [
      [id, 450],
      [crypto.randomUUID(), 3],
    ] as const)
      await sql(
        `INSERT INTO events (organization_id, event, subject_id, payload)
          SELECT ?, 'deliverable.sent', ?, '{}' FROM json_each(?)`,
        studio.organizationId,
        subject_id,
        JSON.stringify(Array(count).fill(0)),
      );
    await sql("DELETE FROM webhook_attempts WHERE organization_id = ?", studio.organizationId);
    await answerWithPayloads(studio);
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect(await answered()).toHaveLength(6);
    const [{ delivery_id = "" } = {}] = await sql<{ delivery_id: string }>(
      "SELECT delivery_id FROM webhook_attempts WHERE organization_id = ? AND response_body IS NULL",
      studio.organizationId,
    );
    expect(await admin(studio, "show-webhook-delivery", { id: delivery_id })).toMatchObject({
      attempt_log: [{ response_body: null }, { response_body: null }],
    });
  });

  it("erases every text column of the client's own row, except those without personal data", async () => {
    const { studio } = await makePerson();
    const kept = [...["id", "organization_id", "created_at", "updated_at"], ...["status", "name"]];
    const texts = Object.entries(getTableColumns(clients)).filter(
      ([, { dataType }]) => dataType === "string",
    );
    const erased = texts.map(([column]) => column).filter((column) => !kept.includes(column));
    const filling = erased.map((column) => `${column} = 'Nora'`).join(", ");
    await sql(`UPDATE clients SET ${filling} WHERE id = ?`, studio.clientId);
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    const [row = {}] = await sql("SELECT * FROM clients WHERE id = ?", studio.clientId);
    expect(Object.entries(row).filter(([, value]) => value === "Nora")).toEqual([]);
  });

  it("erases the e-mail counts of the client's addresses only", async () => {
    const { studio } = await makePerson();
    const client_id = await makeClient(studio, { email: "kim@northwind.example" });
    await post(studio, `/api-v1/deliverables/${await makeDeliverable(studio, { client_id })}/send`, {});
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect(
      await sql(
        "SELECT address FROM mail_counts WHERE organization_id = ? AND address <> '' AND mails > 0",
        studio.organizationId,
      ),
    ).toEqual([{ address: "kim@northwind.example" }]);
  });

  it("shows the erasure in the API, the feed, the review page and the certificate", async () => {
    const { studio, id, visitor } = await makePerson();
    const before = await (await call(studio, `/api-v1/deliverables/${id}/sign-off`)).json<
      Record<string, unknown>
    >();
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    const name = `Erased client ${studio.clientId.slice(0, 8)}`;
    const client = await (await call(studio, `/api-v1/clients/${studio.clientId}`)).json();
    expect(client).toMatchObject({
      name,
      client_name: name,
      company_name: null,
      email: null,
      external_id: null,
      status: "archived",
    });
    const listed = await (await call(studio, `/api-v1/deliverables/${id}/feedback`)).json();
    expect(listed).toMatchObject({
      data: [{ author_name: "Erased", body: "[erased]", attribution: "mailed_link" }],
    });
    const signOff = await (await call(studio, `/api-v1/deliverables/${id}/sign-off`)).json<
      Record<string, unknown>
    >();
    const { proof, signer_name, ...kept } = before;
    expect([signOff, signer_name]).toMatchObject([{ ...kept, signer_name: "Erased" }, "Nora Wind"]);
    expect(JSON.parse(atob(String(signOff.proof).split(".")[1] ?? ""))).toMatchObject({
      signer_name: "Erased",
      version_hash: before.version_hash,
      erased_at: expect.stringMatching(/Z$/),
    });
    expect(proof).not.toBe(signOff.proof);
    const feed = await (await call(studio, "/api-v1/events?limit=200")).text();
    expect(feed).toContain(name);
    const pages = [await visitor.read(), await (await visitor.fetch(`${visitor.path}/certificate`)).text()];
    for (const text of [feed, ...pages]) expect(text).not.toMatch(person);
    expect(pages[0]).toContain('<strong dir="auto">The client</strong> accepted version');
    expect(pages[1]).toContain("name, IP address and browser were erased");
    for (const fact of ["IP address", "Browser"])
      expect(pages[1]).toContain(`<dt>${fact}</dt><dd dir="auto">Erased</dd>`);
    const log = await admin<{ action: string; details: object }[]>(studio, "audit-log", { limit: "100" });
    expect(log[0]).toMatchObject({ action: "client.erased", details: {} });
    expect(log.filter(({ action }) => action === "client.updated")).toHaveLength(3);
  });

  it("keeps the money, the work, the version chain and every other client", async () => {
    const { studio, invoiceId } = await makePerson();
    const otherClient = await makeClient(studio, { email: "other@example.com" });
    const same = [
      "invoices",
      "invoice_line_items",
      "payments",
      "deliverable_versions",
      "projects",
      "deposits",
    ];
    const rowsOf = async () => {
      const all = await everyRowOf(studio);
      return [
        ...same.map((table) => all.get(table)),
        all.get("deliverables")?.map(({ delivery_problem: _, updated_at: __, ...work }) => work),
        all.get("clients")?.filter(({ id }) => id === otherClient),
      ];
    };
    const before = await rowsOf();
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect(await rowsOf()).toEqual(before);
    expect(await (await call(studio, `/api-v1/invoices/${invoiceId}`)).json()).toMatchObject({
      status: "paid",
      total: 10,
    });
  });

  it("erases nothing in a second run, and a retry of an earlier request restores nothing", async () => {
    const { studio, evidence } = await makePerson();
    await stepsOf(studio, "erase-client", { id: studio.clientId });
    const rows = await everyRowOf(studio);
    const [again] = await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect(again).toMatchObject({ rows: 0, next: null });
    expect(await everyRowOf(studio)).toEqual(rows);
    const replayed = await post(studio, "/api-ingest-request", evidence);
    expect([replayed.status, await replayed.json()]).toMatchObject([
      200,
      { content: "[erased]", author_name: null },
    ]);
    const changed = await post(studio, "/api-ingest-request", { ...evidence, content: "Nora again" });
    expect(changed.status).toBe(409);
    expect((await everythingOf(studio)).filter((line) => person.test(line))).toEqual([]);
  });

  it.each(["company_name", "client_name", "email", "external_id"])(
    "erases a %s that was written since the last run when it runs again",
    async (field) => {
      const { studio } = await makePerson();
      const { clientId: id } = studio;
      await stepsOf(studio, "erase-client", { id });
      await admin(studio, "update-client", { id, [field]: "ada@northwind.example" });
      await stepsOf(studio, "erase-client", { id });
      const client = await (await call(studio, `/api-v1/clients/${id}`)).text();
      expect(client).not.toContain("ada@");
    },
  );

  it("replays the client's creation with the erased client", async () => {
    const studio = await makeWorkspace();
    const create = () => post(studio, "/api-v1/clients", { client_name: "Nora Wind" }, "client-1");
    const { id } = await (await create()).json<{ id: string }>();
    await stepsOf(studio, "erase-client", { id });
    expect(await (await create()).json()).toMatchObject({
      id,
      idempotent_replay: true,
      client_name: `Erased client ${id.slice(0, 8)}`,
    });
  });

  it("continues after a failure in any of its transactions of 200 rows [X4]", async () => {
    const { studio, id } = await makePerson();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await addAuditLines(studio, 250, id);
    let isDone = false;
    for (let failing = 2; !isDone && failing < 50; failing += 1) {
      setTripOutcomes((trip) => (trip === failing ? "lost" : "through"));
      const outcome = await callAdmin("erase-client", {
        organization: studio.organizationId,
        id: studio.clientId,
      });
      restoreDatabase();
      isDone = outcome.ok;
    }
    expect((await everythingOf(studio)).filter((line) => person.test(line))).toEqual([]);
  });

  it("runs 50 transactions per step and returns the position of the next step", async () => {
    const { studio, id } = await makePerson();
    await addAuditLines(studio, 11_000, id);
    const steps = await stepsOf(studio, "erase-client", { id: studio.clientId });
    expect(steps.map(({ next }) => next)).toEqual(["audit_log", null]);
    expect((await everythingOf(studio)).filter((line) => person.test(line))).toEqual([]);
  });
});

it("export and erasure queries never scan a whole table", async () => {
  const here = await makeWholeWorkspace();
  const prepare = vi.spyOn(env.DB, "prepare");
  await stepsOf(here, "export-organization");
  await stepsOf(here, "erase-client", { id: here.clientId });
  await stepsOf(here, "erase-organization", { confirm: here.organizationId });
  const statements = new Set(prepare.mock.calls.map(([text]) => text.replaceAll("?", "'x'")));
  vi.restoreAllMocks();
  expect(statements.size).toBeGreaterThan(70);
  for (const text of statements) {
    const plan = await sql<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
    const scans = plan.filter(({ detail }) => /^SCAN (?!CONSTANT ROW|\(subquery|json_each)/.test(detail));
    expect([text, scans]).toEqual([text, []]);
  }
});

describe("the guards against deletion", () => {
  it("apply without an erasure in progress", async () => {
    const here = await makeWholeWorkspace();
    for (const table of [
      "payments",
      "payment_reversals",
      "feedback",
      "sign_offs",
      "audit_log",
      "revision_overrides",
    ])
      await expect(
        sql(`DELETE FROM ${table} WHERE organization_id = ?`, here.organizationId),
      ).rejects.toThrow("immutable");
  });

  it("apply during another workspace's erasure", async () => {
    const [here, there] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
    const erasing = env.DB.prepare("INSERT INTO erasures VALUES (?)").bind(here.organizationId);
    for (const table of ["payments", "feedback", "sign_offs", "audit_log", "invoices", "members"]) {
      const remove = env.DB.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).bind(
        there.organizationId,
      );
      await expect(env.DB.batch([erasing, remove])).rejects.toThrow(/immutable|invoice_kept|last_owner/);
    }
  });
});
