import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { longAgo, makeFilledWorkspace, rowById, sql, update } from "../support/filled-workspace.ts";

const now = "2026-01-31T09:30:00.000Z";

describe("the plan's deliverable cap", () => {
  it("rejects a deliverable over the cap and does not count deleted ones", async () => {
    const here = await makeFilledWorkspace({ plan: "free" });
    const [first] = [await here.deliverable(), await here.deliverable(), await here.deliverable()];
    await expect(here.deliverable()).rejects.toThrow("plan_deliverable_cap");
    await sql("DELETE FROM deliverables WHERE id = ?", first);
    await here.deliverable();
    expect((await rowById("organizations", here.organizationId)).deliverable_count).toBe(3);
  });

  it("changes with the plan at once, and NULL means unlimited", async () => {
    const here = await makeFilledWorkspace({ plan: "free" });
    for (let made = 0; made < 3; made++) await here.deliverable();
    await update("organizations", here.organizationId, { plan: "agency" });
    await here.deliverable();
  });

  it("does not limit the number of versions", async () => {
    const here = await makeFilledWorkspace({ plan: "free" });
    const ids = [await here.deliverable(), await here.deliverable(), await here.deliverable()];
    for (const id of ids) await here.version(id, 2);
  });
});

describe("the rollback of a deliverable", () => {
  it("deletes version 1", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await sql("DELETE FROM deliverables WHERE id = ?", id);
    expect(await sql("SELECT 1 FROM deliverable_versions WHERE deliverable_id = ?", id)).toEqual([]);
  });

  it("is rejected once the deliverable was sent or has a second version", async () => {
    const here = await makeFilledWorkspace();
    const [sent, revised] = [await here.deliverable(), await here.deliverable()];
    await here.send(sent);
    await here.version(revised, 2);
    for (const id of [sent, revised]) {
      await expect(sql("DELETE FROM deliverables WHERE id = ?", id)).rejects.toThrow("deliverable_kept");
    }
  });

  it("is the only way to delete a version", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await expect(
      env.DB.batch([
        env.DB.prepare("PRAGMA defer_foreign_keys = on"),
        env.DB.prepare("DELETE FROM deliverable_versions WHERE deliverable_id = ?").bind(id),
      ]),
    ).rejects.toThrow("immutable");
  });
});

describe("a send", () => {
  it("sets sent_at and the on-send label and clears the pending reminder [V9, V17]", async () => {
    const here = await makeFilledWorkspace();
    await update("organizations", here.organizationId, { on_send_status_label: "With the client" });
    const id = await here.deliverable({ reminder_due_at: now, status_label: "Draft" });
    await here.send(id, 1, { sent_at: now });
    expect(await rowById("deliverables", id)).toMatchObject({
      sent_at: now,
      sent_version_number: 1,
      status_label: "With the client",
      reminder_due_at: null,
      review_state: "in_review",
    });
  });

  it("is also recorded as a row when plain SQL sets sent_at", async () => {
    const here = await makeFilledWorkspace();
    await update("organizations", here.organizationId, { on_send_status_label: "With the client" });
    const id = await here.deliverable({ reminder_due_at: now });
    await here.version(id, 2);
    await update("deliverables", id, { sent_at: now });
    expect(await rowById("deliverables", id)).toMatchObject({
      sent_at: now,
      sent_version_number: 2,
      status_label: "With the client",
      reminder_due_at: null,
      review_state: "in_review",
    });
    expect(await sql("SELECT * FROM deliverable_sends WHERE deliverable_id = ?", id)).toMatchObject([
      { version_number: 2, sent_at: now, sent_by: null },
    ]);
  });

  it("keeps the status label if the organization has no on-send label", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({ status_label: "Draft" });
    await here.send(id);
    expect(await rowById("deliverables", id)).toMatchObject({
      status_label: "Draft",
      review_state: "in_review",
    });
  });

  it("does not put the deliverable in review if its version is outdated", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.version(id, 2);
    await here.send(id, 1);
    expect((await rowById("deliverables", id)).review_state).toBe("draft");
    for (const number of [2, 1]) await here.send(id, number);
    expect((await rowById("deliverables", id)).review_state).toBe("in_review");
  });

  it("leaves the deliverable unchanged if it is recorded after the sign-off", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.signOff(id);
    const signedOff = await rowById("deliverables", id);
    await here.send(id);
    expect(await rowById("deliverables", id)).toEqual(signedOff);
  });
});

describe("feedback", () => {
  it("counts as a change request until the next version starts a new review [V7]", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.send(id);
    await here.feedback(id, "comment");
    expect((await rowById("deliverables", id)).review_state).toBe("in_review");
    await here.feedback(id, "change_request");
    expect((await rowById("deliverables", id)).review_state).toBe("changes_requested");
    await here.version(id, 2);
    expect((await rowById("deliverables", id)).review_state).toBe("draft");
    await here.feedback(id, "change_request", 1);
    expect((await rowById("deliverables", id)).review_state).toBe("draft");
    for (const number of [2, 1]) await here.feedback(id, "change_request", number);
    expect((await rowById("deliverables", id)).review_state).toBe("changes_requested");
  });

  it("no longer counts as a change request once its version is sent again", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const state = async () => (await rowById("deliverables", id)).review_state;
    await here.send(id);
    await here.feedback(id, "change_request");
    await here.send(id, 1, { sent_at: longAgo });
    expect(await state()).toBe("changes_requested");
    await here.send(id);
    expect(await state()).toBe("in_review");
    await here.feedback(id, "comment");
    expect(await state()).toBe("in_review");
    await here.version(id, 2);
    await here.feedback(id, "change_request", 2);
    await here.send(id, 1);
    expect(await state()).toBe("changes_requested");
    await update("deliverables", id, { sent_at: "2999-01-01T00:00:00.000Z" });
    expect(await state()).toBe("in_review");
  });

  it("is immutable", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const feedback = await here.feedback(id);
    await expect(update("feedback", feedback, { body: "x" })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM feedback WHERE id = ?", feedback)).rejects.toThrow("immutable");
    await here.signOff(id);
    await expect(here.feedback(id)).rejects.toThrow("deliverable_signed_off");
  });

  it("is rejected after the sign-off and cannot replace another row", async () => {
    const here = await makeFilledWorkspace();
    const [id, other] = [
      await here.deliverable({ updated_at: "2999-01-01T00:00:00.000Z" }),
      await here.deliverable(),
    ];
    const [feedback, signOff] = [await here.feedback(id), await here.signOff(id)];
    await expect(here.feedback(id)).rejects.toThrow("deliverable_signed_off");
    for (const [table, row] of [
      ["feedback", feedback],
      ["sign_offs", signOff],
    ]) {
      const columns = table === "feedback" ? "kind, body, author_name" : "signer_name";
      const values = table === "feedback" ? "'comment', 'x', 'x'" : "'x'";
      await expect(
        sql(
          `INSERT OR REPLACE INTO ${table} (id, organization_id, deliverable_id, version_number, ${columns})
            VALUES (?, ?, ?, 1, ${values})`,
          ...[row, here.organizationId, other],
        ),
      ).rejects.toThrow("row_exists");
    }
  });
});

describe("a sign-off", () => {
  it("approves the deliverable and sets its timestamps", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const signOff = await rowById("sign_offs", await here.signOff(id));
    expect(await rowById("deliverables", id)).toMatchObject({
      current_state: "signed_off",
      review_state: "approved",
      signed_off_at: signOff.created_at,
      updated_at: signOff.created_at,
    });
  });

  it("keeps the given time and clears the pending reminder", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({ reminder_due_at: now });
    const created_at = "2026-01-31T09:30:00.000Z";
    await here.own("sign_offs", { deliverable_id: id, version_number: 1, signer_name: "Ada", created_at });
    expect(await rowById("deliverables", id)).toMatchObject({
      signed_off_at: created_at,
      reminder_due_at: null,
    });
  });

  it("is also recorded as a row when plain SQL sets current_state, with or without the time", async () => {
    const here = await makeFilledWorkspace();
    const [plain, dated] = [await here.deliverable(), await here.deliverable()];
    await update("deliverables", plain, { current_state: "signed_off" });
    await update("deliverables", dated, { current_state: "signed_off", signed_off_at: now });
    expect((await rowById("deliverables", plain)).signed_off_at).toMatch(/^\d{4}-.*Z$/);
    expect((await rowById("deliverables", dated)).signed_off_at).toBe(now);
  });

  it("is possible only once, and only for the newest version", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.version(id, 2);
    await expect(here.signOff(id, 1)).rejects.toThrow("version_not_newest");
    const signOff = await here.signOff(id, 2);
    await expect(here.signOff(id, 2)).rejects.toThrow("deliverable_signed_off");
    await expect(update("sign_offs", signOff, { signer_name: "x" })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM sign_offs WHERE id = ?", signOff)).rejects.toThrow("immutable");
  });
});

describe("a signed-off deliverable [V8]", () => {
  const changes = {
    title: "x",
    current_state: "open",
    signed_off_at: now,
    sent_at: now,
    status_label: "x",
    is_sample: 1,
    is_final: 0,
    updated_at: now,
  };

  it.each(Object.entries(changes))("has an immutable %s", async (column, value) => {
    const here = await makeFilledWorkspace();
    for (const signOff of [
      here.signOff,
      (id: string) => update("deliverables", id, { current_state: "signed_off" }),
    ]) {
      const id = await here.deliverable();
      await signOff(id);
      await expect(update("deliverables", id, { [column]: value })).rejects.toThrow("deliverable_signed_off");
    }
  });

  it("cannot get a new version, be deleted or be replaced", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.signOff(id);
    const before = await rowById("deliverables", id);
    await expect(here.version(id, 2)).rejects.toThrow("deliverable_signed_off");
    await expect(sql("DELETE FROM deliverables WHERE id = ?", id)).rejects.toThrow("deliverable_signed_off");
    await expect(
      sql(
        `INSERT OR REPLACE INTO deliverables (id, organization_id, client_id, title, share_url, created_by)
          VALUES (?, ?, ?, 'x', 'x', ?)`,
        id,
        here.organizationId,
        here.clientId,
        here.ownerId,
      ),
    ).rejects.toThrow("row_exists");
    const open = await here.deliverable();
    await expect(sql("UPDATE OR REPLACE deliverables SET id = ? WHERE id = ?", id, open)).rejects.toThrow(
      "key_kept",
    );
    await expect(
      sql("UPDATE OR REPLACE deliverables SET share_url = ? WHERE id = ?", before.share_url, open),
    ).rejects.toThrow("FOREIGN KEY");
    expect(await rowById("deliverables", id)).toEqual(before);
  });

  it("an open deliverable cannot be finalized with plain SQL or created as signed off", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await expect(update("deliverables", id, { is_final: 1 })).rejects.toThrow("final_by_sign_off");
    await expect(here.deliverable({ current_state: "signed_off" })).rejects.toThrow(
      "deliverable_starts_open",
    );
  });
});
