import { describe, expect, it } from "vitest";
import { makeFilledWorkspace, rowById, sql, update } from "../support/filled-workspace.ts";

describe("a change order", () => {
  it("goes from draft to sent, and from sent to signed or declined", async () => {
    const here = await makeFilledWorkspace();
    for (const end of ["signed", "declined"]) {
      const id = await here.changeOrder();
      await expect(update("change_orders", id, { status: end })).rejects.toThrow(
        "change_order_status_out_of_order",
      );
      await update("change_orders", id, { status: "sent" });
      await update("change_orders", id, { status: end });
      for (const status of ["draft", "sent", end === "signed" ? "declined" : "signed"]) {
        await expect(update("change_orders", id, { status })).rejects.toThrow(
          "change_order_status_out_of_order",
        );
      }
    }
  });

  it("is immutable once sent, and cannot be created as signed", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.changeOrder({ status: "sent" });
    await expect(update("change_orders", id, { amount_minor: 1 })).rejects.toThrow("change_order_frozen");
    await expect(here.changeOrder({ status: "signed" })).rejects.toThrow("change_order_starts_draft_or_sent");
  });
});

describe("a change decision", () => {
  it("goes from draft to sent, and is then immutable", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.changeDecision();
    await update("change_decisions", id, { status: "sent" });
    await expect(update("change_decisions", id, { status: "draft" })).rejects.toThrow(
      "change_decision_status_out_of_order",
    );
    await expect(update("change_decisions", id, { title: "x" })).rejects.toThrow("change_decision_frozen");
  });
});

describe("sent or cleared records", () => {
  it.each([
    ["change_orders", "sent", ["project_id", "title", "amount_minor", "currency"]],
    ["change_decisions", "sent", ["project_id", "title", "kind"]],
    ["deposits", "cleared", ["project_id", "amount_minor", "currency"]],
  ] as const)("%s that are %s cannot change %o", async (table, status, columns) => {
    const here = await makeFilledWorkspace();
    const made = {
      change_orders: here.changeOrder,
      change_decisions: here.changeDecision,
      deposits: here.deposit,
    };
    const id = await made[table]();
    const others = {
      project_id: await here.project(),
      title: "Another",
      amount_minor: 1,
      currency: "EUR",
      kind: "milestone_gate",
    };
    await update(table, id, { project_id: others.project_id });
    await update(table, id, { status, project_id: here.projectId });
    for (const column of columns)
      await expect(update(table, id, { [column]: others[column] }), column).rejects.toThrow(/_frozen/);
  });
});

describe("with plain SQL", () => {
  const every = ["organization_id", "project_id", "created_by"];
  const required = {
    change_orders: [...every, "title", "amount_minor", "currency"],
    change_decisions: [...every, "title", "kind"],
    deposits: [...every, "amount_minor", "currency"],
  };

  it.each([
    ["change_orders", "sent", "change_order_frozen"],
    ["change_decisions", "sent", "change_decision_frozen"],
    ["deposits", "cleared", "deposit_frozen"],
  ] as const)(
    "no row in %s can be replaced, and no %s row can be deleted",
    async (table, status, refusal) => {
      const here = await makeFilledWorkspace();
      const makers = {
        change_orders: here.changeOrder,
        change_decisions: here.changeDecision,
        deposits: here.deposit,
      };
      const make = makers[table];
      const [id, first] = [await make({ status }), await make()];
      const told = await here.events();
      for (const each of [id, first]) {
        await expect(
          sql(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} WHERE id = ?`, each),
        ).rejects.toThrow("row_exists");
        await expect(
          sql(
            `INSERT OR REPLACE INTO ${table} (rowid, ${required[table].join(", ")}, id)
            SELECT rowid, ${required[table].join(", ")}, 'another' FROM ${table} WHERE id = ?`,
            each,
          ),
        ).rejects.toThrow("row_exists");
      }
      for (const change of [
        `id = '${id}'`,
        "id = 'another'",
        `rowid = (SELECT rowid FROM ${table} WHERE id = '${id}')`,
      ])
        await expect(
          sql(`UPDATE OR REPLACE ${table} SET ${change} WHERE id = ?`, first),
          change,
        ).rejects.toThrow("key_kept");
      await expect(sql(`DELETE FROM ${table} WHERE id = ?`, id)).rejects.toThrow(refusal);
      await sql(`DELETE FROM ${table} WHERE id = ?`, first);
      expect(await rowById(table, id)).toMatchObject({ status });
      expect(await here.events()).toEqual(told);
    },
  );
});

describe("a deposit", () => {
  it("is not replaced by another deposit for the same payment", async () => {
    const here = await makeFilledWorkspace();
    const payment = crypto.randomUUID();
    const cleared = await here.deposit({ processor_payment_id: payment });
    await update("deposits", cleared, { status: "cleared", collected_via: "stripe" });
    const another = await here.deposit();
    await expect(
      sql(
        `INSERT OR REPLACE INTO deposits (id, organization_id, project_id, amount_minor, currency, created_by,
          processor_payment_id) SELECT 'another', organization_id, project_id, amount_minor, currency, created_by, ?
         FROM deposits WHERE id = ?`,
        payment,
        another,
      ),
    ).rejects.toThrow("row_exists");
    await expect(
      sql("UPDATE OR REPLACE deposits SET processor_payment_id = ? WHERE id = ?", payment, another),
    ).rejects.toThrow("row_exists");
    expect(await rowById("deposits", cleared)).toMatchObject({ status: "cleared" });
  });

  it("releases the project's kickoff when it is cleared", async () => {
    const here = await makeFilledWorkspace();
    const [first, second] = [await here.deposit(), await here.deposit()];
    expect((await rowById("projects", here.projectId)).kickoff_released_at).toBeNull();
    await update("deposits", first, { status: "cleared", collected_via: "stripe" });
    const { cleared_at } = await rowById("deposits", first);
    expect(cleared_at).toMatch(/Z$/);
    expect((await rowById("projects", here.projectId)).kickoff_released_at).toBe(cleared_at);
    await update("deposits", second, { status: "cleared" });
    expect((await rowById("projects", here.projectId)).kickoff_released_at).toBe(cleared_at);
    await expect(update("deposits", first, { status: "pending" })).rejects.toThrow(
      "deposit_status_out_of_order",
    );
    await expect(update("deposits", first, { amount_minor: 1 })).rejects.toThrow("deposit_frozen");
  });

  it("releases the kickoff when it is recorded as cleared", async () => {
    const here = await makeFilledWorkspace();
    const { cleared_at } = await rowById("deposits", await here.deposit({ status: "cleared" }));
    expect((await rowById("projects", here.projectId)).kickoff_released_at).toBe(cleared_at);
    const given = "2026-01-31T09:30:00.000Z";
    const dated = [await here.deposit({ status: "cleared", cleared_at: given }), await here.deposit()];
    await update("deposits", String(dated[1]), { status: "cleared", cleared_at: given });
    for (const id of dated) expect((await rowById("deposits", id)).cleared_at).toBe(given);
  });
});
