import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { makeWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;
type Invoice = Fields & { line_items: Fields[] };

const path = "/api-v1/invoices";
const line = { description: "Concept", quantity: 1, unit_price: 100 };

async function create(fields: Fields, currency = "USD"): Promise<Response> {
  const workspace = await makeWorkspace({ currency });
  const { client_id } = await makeRecords(workspace, { currency });
  return post(workspace, path, { client_id, line_items: [line], ...fields });
}

const created = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(201);
  return answer.json<Invoice>();
};

const refusal = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(400);
  return (await answer.json<{ error: string }>()).error;
};

describe("POST /api-v1/invoices", () => {
  it("returns 201 with a draft in the form that the get and the list return [M1]", async () => {
    const workspace = await makeWorkspace();
    const { client_id, project_id, invoice_id } = await makeRecords(workspace);
    const answer = await post(workspace, path, {
      client_id,
      project_id,
      currency: "EUR",
      due_date: "2026-02-14",
      notes: "Thank you",
      external_id: "i-1",
      line_items: [
        { description: "Concept", quantity: 10, unit_price: 100, tax_rate: 19 },
        { description: "Discount", quantity: 1, unit_price: -50.5 },
      ],
    });
    const invoice = await answer.json<Invoice>();
    const item = { id: expect.any(String), time_entry_id: null };
    expect([answer.status, invoice]).toEqual([
      201,
      {
        id: expect.any(String),
        number: null,
        client_id,
        project_id,
        status: "draft",
        currency: "EUR",
        issue_date: null,
        due_date: "2026-02-14",
        subtotal: 949.5,
        tax_total: 190,
        total: 1139.5,
        amount_paid: 0,
        amount_due: 1139.5,
        notes: "Thank you",
        external_id: "i-1",
        line_items: [
          {
            ...item,
            position: 0,
            description: "Concept",
            quantity: 10,
            unit_price: 100,
            tax_rate: 19,
            amount: 1000,
          },
          {
            ...item,
            position: 1,
            description: "Discount",
            quantity: 1,
            unit_price: -50.5,
            tax_rate: 0,
            amount: -50.5,
          },
        ],
        created_at: expect.any(String),
        updated_at: invoice.created_at,
      },
    ]);
    expect(await (await call(workspace, `${path}/${invoice.id}`)).json()).toEqual(invoice);
    const { data } = await (await call(workspace, path)).json<{ data: Fields[] }>();
    expect(data.find(({ id }) => id !== invoice_id)).toEqual(invoice);
  });

  it("returns only the invoice's own line items", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const line = { quantity: 1, unit_price: 1 };
    for (const description of ["One", "Two"])
      await post(workspace, path, { client_id, line_items: [{ ...line, description }] });
    const { data } = await (await call(workspace, path)).json<{ data: Invoice[] }>();
    const lines = data.map(({ line_items }) => line_items.map(({ description }) => description));
    expect(lines.sort()).toEqual([[], ["One"], ["Two"]]);
  });

  it("rejects status, number and payment fields, because it creates only drafts [M4, Y1]", async () => {
    for (const field of ["status", "number", "amount_paid", "amount_due", "issue_date", "total"]) {
      expect(await refusal({ [field]: "open" })).toBe(`${field} is not a known field`);
    }
    expect(await refusal({ line_items: [{ ...line, amount: 1 }] })).toBe(
      "line_items.0.amount is not a known field",
    );
  });

  it.each([
    // currency, quantity, unit price, amount
    ["USD", 0.5, 0.01, 0.01],
    ["USD", 0.5, -0.01, -0.01],
    ["USD", 1.5, 0.33, 0.5],
    ["USD", 0.4999, 0.01, 0],
    ["USD", 3, 33.33, 99.99],
    ["USD", 0.3333, 100, 33.33],
    ["USD", 2.675, 1, 2.68],
    ["USD", 1.005, 1, 1.01],
    ["USD", 8.2, 1.15, 9.43],
    ["JPY", 0.5, 1, 1],
    ["JPY", 1.4999, 1, 1],
    ["KWD", 0.5, 0.001, 0.001],
    ["KWD", 1.0005, 1, 1.001],
  ])(
    "in %s, rounds %d x %d to %d, half away from zero [M2]",
    async (currency, quantity, unit_price, amount) => {
      const discount = { description: "Base", quantity: 1, unit_price: 1000 };
      const { line_items } = await created({
        currency,
        line_items: [{ ...line, quantity, unit_price }, discount],
      });
      expect(line_items[0]).toMatchObject({ quantity, unit_price, amount });
    },
  );

  it("rounds each line's tax half away from zero, and adds it to the total", async () => {
    const taxed = (unit_price: number, tax_rate: number) => ({ ...line, unit_price, tax_rate });
    const one = await created({ line_items: [taxed(0.1, 5), taxed(0.1, 5), taxed(0.3, 19)] });
    expect([one.subtotal, one.tax_total, one.total]).toEqual([0.5, 0.08, 0.58]);
    const two = await created({ line_items: [taxed(100, 7.25), taxed(-10, 7.25)] });
    expect([two.subtotal, two.tax_total, two.total]).toEqual([90, 6.52, 96.52]);
    const three = await created({ line_items: [taxed(99, 100), taxed(1, 0)] });
    expect([three.subtotal, three.tax_total, three.total]).toEqual([100, 99, 199]);
  });

  it("limits prices to the currency's decimal places", async () => {
    for (const [currency, fine, tooFine] of [
      ["JPY", 1, 0.5],
      ["USD", 0.07, 0.075],
      ["KWD", 0.007, 0.0075],
    ] as const) {
      expect((await created({ currency, line_items: [{ ...line, unit_price: fine }] })).subtotal).toBe(fine);
      expect(await refusal({ currency, line_items: [line, { ...line, unit_price: tooFine }] })).toBe(
        `line_items.1.unit_price has more digits than ${currency}`,
      );
    }
    expect((await created({}, "KWD")).currency).toBe("KWD");
  });

  it("rejects values over its limits, with the field first in each error message [M3]", async () => {
    const items = (count: number) => Array.from({ length: count }, () => line);
    expect((await created({ line_items: items(200) })).line_items.map(({ position }) => position)).toEqual(
      Array.from({ length: 200 }, (_, position) => position),
    );
    expect(await refusal({ line_items: items(201) })).toMatch(/^line_items /);
    expect(await refusal({ line_items: [] })).toMatch(/^line_items /);
    expect(await refusal({ line_items: undefined })).toBe("line_items is required");
    const wrong = (fields: Fields) => refusal({ line_items: [{ ...line, ...fields }] });
    expect(await wrong({ description: "" })).toBe("line_items.0.description must have 1 to 1000 characters");
    expect(await wrong({ description: "x".repeat(1001) })).toMatch(/^line_items\.0\.description /);
    for (const quantity of [0, -1, "1", null])
      expect(await wrong({ quantity })).toMatch(/^line_items\.0\.quantity /);
    expect(await wrong({ quantity: 1.00001 })).toBe(
      "line_items.0.quantity must have at most four decimal places",
    );
    expect((await created({ line_items: [{ ...line, quantity: 0.0001 }] })).line_items[0]?.quantity).toBe(
      0.0001,
    );
    expect(await wrong({ tax_rate: 19.12345 })).toBe(
      "line_items.0.tax_rate must have at most four decimal places",
    );
    for (const tax_rate of [-1, 100.01])
      expect(await wrong({ tax_rate })).toMatch(/^line_items\.0\.tax_rate /);
    expect(await wrong({ unit_price: 1e15 })).toMatch(/^line_items\.0\.unit_price /);
    expect(await refusal({ notes: "x".repeat(5001) })).toMatch(/^notes /);
    expect(await refusal({ due_date: "2026-02-30" })).toMatch(/^due_date /);
  });

  it("rejects a total that is negative or not a safe integer", async () => {
    expect((await created({ line_items: [line, { ...line, unit_price: -100 }] })).total).toBe(0);
    expect(await refusal({ line_items: [{ ...line, unit_price: -1 }] })).toMatch(/^line_items /);
    expect(
      await refusal({ line_items: [{ ...line, quantity: 1_000_000, unit_price: 1_000_000_000 }] }),
    ).toMatch(/^line_items\.0 is more/);
    const canceling = [1, -1].map((sign) => ({
      ...line,
      quantity: 1_000_000,
      unit_price: sign * 1_000_000_000,
    }));
    expect(await refusal({ line_items: canceling })).toBe(
      "line_items.0 is more than the maximum amount of an invoice",
    );
    const largest = await created({
      line_items: [{ ...line, quantity: 9999.9999, unit_price: 999_999_999.99 }],
    });
    expect(largest.total).toBe(9_999_999_899_900);
  });

  it("rejects another workspace's records and another client's project", async () => {
    const theirs = await makeRecords(await makeWorkspace());
    expect(await refusal({ client_id: theirs.client_id })).toBe("client_id not found in this workspace");
    expect(await refusal({ client_id: undefined })).toBe("client_id is required");
    expect(await refusal({ project_id: theirs.project_id })).toBe("project_id not found in this workspace");
    expect(await refusal({ line_items: [{ ...line, time_entry_id: theirs.time_entry_id }] })).toBe(
      "line_items.0.time_entry_id not found in this workspace",
    );
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const another = await makeRecords(workspace);
    const answers = [
      await post(workspace, path, { client_id, project_id: another.project_id, line_items: [line] }),
      await post(workspace, path, {
        client_id,
        line_items: [{ ...line, time_entry_id: another.time_entry_id }],
      }),
    ];
    expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))).toEqual([
      [400, { error: "project_id does not belong to this client" }],
      [400, { error: "line_items.0.time_entry_id does not belong to this client" }],
    ]);
  });

  it("bills a time entry at most once", async () => {
    const workspace = await makeWorkspace();
    const { client_id, time_entry_id } = await makeRecords(workspace);
    const billed = { ...line, time_entry_id };
    const twice = await post(workspace, path, { client_id, line_items: [billed, billed] });
    expect([twice.status, await twice.json()]).toEqual([
      400,
      { error: "line_items.1.time_entry_id is already invoiced" },
    ]);
    const answer = await post(workspace, path, { client_id, line_items: [billed] });
    const invoice = await answer.json<Invoice>();
    expect([answer.status, invoice.line_items[0]?.time_entry_id]).toEqual([201, time_entry_id]);
    const entry = await (await call(workspace, `/api-v1/time-entries/${time_entry_id}`)).json<Fields>();
    expect(entry.invoice_id).toBe(invoice.id);
    const again = await post(workspace, path, { client_id, line_items: [billed] });
    expect([again.status, await again.json()]).toEqual([
      400,
      { error: "line_items.0.time_entry_id is already invoiced" },
    ]);
  });

  it("does not record an event for a draft [R16]", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    await post(workspace, path, { client_id, line_items: [line] });
    const events = await env.DB.prepare(
      "SELECT count(*) AS count FROM events WHERE organization_id = ? AND event LIKE 'invoice.%'",
    )
      .bind(workspace.organizationId)
      .first("count");
    expect(events).toBe(0);
  });
});

describe("GET /api-v1/invoices/{id}", () => {
  it("returns the number, dates and amounts as the invoice opens and is paid", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const { id } = await (await post(workspace, path, { client_id, line_items: [line] })).json<Invoice>();
    const read = async () => (await call(workspace, `${path}/${id}`)).json<Invoice>();
    const pay = (amount_minor: number) =>
      env.DB.prepare(
        `INSERT INTO payments (id, organization_id, invoice_id, amount_minor, collected_via)
          VALUES (?, ?, ?, ?, 'offline')`,
      )
        .bind(crypto.randomUUID(), workspace.organizationId, id, amount_minor)
        .run();
    await env.DB.prepare("UPDATE invoices SET status = 'open' WHERE id = ?").bind(id).run();
    const open = await read();
    expect(open).toMatchObject({ status: "open", number: expect.any(String), amount_due: 100 });
    await pay(4000);
    const partial = await read();
    expect(partial).toMatchObject({ status: "partially_paid", amount_paid: 40, amount_due: 60 });
    await pay(6000);
    expect(await read()).toMatchObject({ status: "paid", amount_paid: 100, amount_due: 0 });
    expect(String(partial.updated_at) >= String(open.updated_at)).toBe(true);
  });

  it("returns 404 not_found for an unknown invoice and for another organization's invoice", async () => {
    const workspace = await makeWorkspace();
    const { invoice_id } = await makeRecords(await makeWorkspace());
    for (const id of [crypto.randomUUID(), invoice_id]) {
      const answer = await call(workspace, `${path}/${id}`);
      expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found", code: "not_found" }]);
    }
  });
});
