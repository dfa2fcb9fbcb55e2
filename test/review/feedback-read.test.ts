import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Feedback } from "../../src/review/feedback/record.ts";
import { admin } from "../support/admin.ts";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { makeReview } from "../support/reviewer.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

type Page = { data: Feedback[]; next_cursor: string | null };

const pathOf = (id: string) => `/api-v1/deliverables/${id}/feedback`;
const read = async (workspace: Workspace, path: string): Promise<Page> =>
  (await call(workspace, path)).json();

async function seed(workspace: Workspace, { deliverable_id }: Records, total: number): Promise<void> {
  const insert = env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
     INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name, created_at)
     SELECT printf('%08x-0000-4000-8000-%012x', random() & 0xffffffff, random() & 0xffffffffffff), ?2, ?3, 1,
       'comment', 'No. ' || i, 'Mara',
       strftime('%Y-%m-%dT%H:%M:%fZ', 1769850000 + i / 3, 'unixepoch') FROM n`,
  );
  await insert.bind(total, workspace.organizationId, deliverable_id).run();
}

describe("GET /api-v1/deliverables/{id}/feedback", () => {
  it("returns each comment with its version, its author and the author's attribution [V22]", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("I like it");
    const asked = { kind: "change_request", body: "Larger", author_name: "Ada" };
    await admin(studio, "record-feedback", { deliverable: id, ...asked });
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Larger" });
    await visitor.comment("Now it fits");
    const { data, next_cursor } = await read(studio, pathOf(id));
    expect(next_cursor).toBeNull();
    expect(data).toEqual([
      expect.objectContaining({
        version_number: 1,
        kind: "comment",
        body: "I like it",
        attribution: "link_only",
      }),
      expect.objectContaining({ version_number: 1, ...asked, attribution: "recorded_by_admin" }),
      expect.objectContaining({ version_number: 2, body: "Now it fits", attribution: "link_only" }),
    ]);
    const fields = [
      "id",
      "deliverable_id",
      "version_number",
      "kind",
      "body",
      "author_name",
      "attribution",
      "anchor",
    ];
    for (const said of data) expect(Object.keys(said).sort()).toEqual([...fields, "created_at"].sort());
  });

  it("returns each comment with the feedback_id of its feedback.created event", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("I like it");
    const { data: events } = await (await call(studio, "/api-v1/events?types=feedback.created")).json<{
      data: { data: { feedback_id: string } }[];
    }>();
    const { data } = await read(studio, pathOf(id));
    expect(data.map((said) => said.id)).toEqual(events.map((event) => event.data.feedback_id));
  });

  it("returns the point in the image that a comment refers to, as feedback.created does [P21]", async () => {
    const { studio, id } = await makeReview();
    await env.DB.prepare(
      `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name,
         anchor_x, anchor_y) VALUES (?, ?, ?, 1, 'comment', 'Here', 'Mara', 0.25, 1)`,
    )
      .bind(crypto.randomUUID(), studio.organizationId, id)
      .run();
    const { data: events } = await (await call(studio, "/api-v1/events?types=feedback.created")).json<{
      data: { data: { anchor: unknown } }[];
    }>();
    const { data } = await read(studio, pathOf(id));
    const anchor = { x: 0.25, y: 1 };
    expect([...data, ...events.map((event) => event.data)]).toEqual([
      expect.objectContaining({ anchor }),
      expect.objectContaining({ anchor }),
    ]);
  });

  it("returns each comment once in pages of any size, with or without updated_since", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    await seed(workspace, records, 8);
    const path = pathOf(records.deliverable_id);
    const all = (await read(workspace, path)).data;
    expect(all.map(({ body }) => body).sort()).toEqual(Array.from({ length: 8 }, (_, i) => `No. ${i}`));
    for (const limit of [1, 2, 3, 7, 8]) {
      const seen: Feedback[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: Page = await read(workspace, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.data);
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(all);
    }
    const since = all[3]?.created_at ?? "";
    expect((await read(workspace, `${path}?updated_since=${since}`)).data).toEqual(all.slice(3));
    expect((await read(workspace, `${path}?updated_since=2999-01-01T00:00:00Z`)).data).toEqual([]);
  });

  it("rejects a cursor from another deliverable, list or filter", async () => {
    const workspace = await makeWorkspace();
    const [records, others] = [await makeRecords(workspace), await makeRecords(workspace)];
    for (const each of [records, others]) await seed(workspace, each, 2);
    const path = pathOf(records.deliverable_id);
    const { next_cursor } = await read(workspace, `${path}?limit=1`);
    for (const wrong of [
      `${pathOf(others.deliverable_id)}?cursor=${next_cursor}`,
      `/api-v1/deliverables?cursor=${next_cursor}`,
      `${path}?updated_since=2026-01-01T00:00:00Z&cursor=${next_cursor}`,
      `${path}?cursor=x`,
    ]) {
      const answer = await call(workspace, wrong);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "cursor is not valid for this list" },
      ]);
    }
    expect((await call(workspace, pathOf(crypto.randomUUID()))).status).toBe(404);
  });

  it("reads limit + 6 rows at any depth", async () => {
    const workspace = await makeWorkspace();
    const [records, others] = [await makeRecords(workspace), await makeRecords(workspace)];
    for (const each of [records, others]) await seed(workspace, each, 3_000);
    const path = `${pathOf(records.deliverable_id)}?limit=10`;
    const later = `${path}&updated_since=2026-01-31T09:10:00Z`;
    const { next_cursor } = await read(workspace, later);
    for (const asked of [path, later, `${later}&cursor=${next_cursor}`]) {
      const { answer, read: rows } = await metered(() => read(workspace, asked));
      expect(answer.data).toHaveLength(10);
      expect(rows, asked).toBeLessThanOrEqual(10 + 6);
    }
  });
});
