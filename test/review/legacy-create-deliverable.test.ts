import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { AuditEntry } from "../../src/core/audit-log/record.ts";
import type { Version } from "../../src/review/deliverables/version.ts";
import { admin } from "../support/admin.ts";
import { base64, images, pngOfBytes } from "../support/images.ts";
import { call, post } from "../support/partner.ts";
import {
  aDeliverable,
  countRows,
  imagesInBucket,
  makeDeliverable,
  makeStudio,
  readDeliverable,
  versionsOf,
} from "../support/review.ts";

const path = "/api-create-deliverable";
const refusal = async (answer: Response) => [answer.status, await answer.json()];

describe("POST /api-create-deliverable", () => {
  it("creates a new record each time, without an Idempotency-Key [G2]", async () => {
    const studio = await makeStudio();
    const body = aDeliverable(studio, { color: "red", deep: { number: 1 }, project_id: "ignored" });
    const answers = [await call(studio, path, { body }), await call(studio, path, { body, key: "ignored" })];
    answers.push(await call(studio, path, { body, key: "ignored" }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { id, share_url, ...rest } = await (answers[0] as Response).json<Record<string, string>>();
    expect(rest).toEqual({});
    expect(await readDeliverable(studio, id as string)).toMatchObject({
      embed_url: "https://www.example.com/concept",
      project_id: null,
      share_url,
    });
    expect(await countRows("deliverables", studio)).toBe(3);
  });

  it("marks a sample client's deliverable as a sample", async () => {
    const studio = await makeStudio();
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(studio.clientId).run();
    const { id } = await (await call(studio, path, { body: aDeliverable(studio) })).json<{ id: string }>();
    expect(await readDeliverable(studio, id)).toMatchObject({ is_sample: true });
  });

  it("stores an image, sets embed_url to the share URL and gives version 1 no asset [G4]", async () => {
    const studio = await makeStudio();
    const body = aDeliverable(studio, { embed_url: undefined, image_base64: images.jpg });
    const headers = { origin: "https://portal.example.org" };
    const created = await (await call(studio, path, { body, headers })).json<{
      id: string;
      share_url: string;
    }>();
    expect(created.share_url).toMatch(/^https:\/\/portal\.example\.org\/review\//);
    const { embed_url, asset_path } = await readDeliverable(studio, created.id);
    expect(embed_url).toBe(created.share_url);
    expect(await imagesInBucket(studio)).toEqual([asset_path]);
    expect(await versionsOf(created.id)).toMatchObject([
      { version_number: 1, embed_url, asset_path: null, asset_content_type: null, asset_sha256: null },
    ]);
    const second = await (
      await post(studio, `/api-v1/deliverables/${created.id}/versions`, {})
    ).json<Version>();
    expect(second).toMatchObject({ embed_url, asset_path, asset_content_type: "image/jpeg" });
    expect(asset_path).toContain(second.asset_sha256);
  });

  it("does not change any other deliverable", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const before = await readDeliverable(studio, id);
    const send = () => call(studio, path, { body: aDeliverable(studio, { image_base64: images.png }) });
    expect((await send()).status).toBe(201);
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.IMAGES, "put").mockRejectedValue(new Error("R2 is away"));
    expect((await send()).status).toBe(502);
    expect(await countRows("deliverables", studio)).toBe(2);
    expect(await readDeliverable(studio, id)).toEqual(before);
    const row = env.DB.prepare("SELECT asset_path FROM deliverables WHERE id = ?").bind(id);
    expect(await row.first("asset_path")).toBe(null);
  });

  it("records the rollback in the audit log when an image cannot be stored", async () => {
    const studio = await makeStudio();
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.IMAGES, "put").mockRejectedValue(new Error("R2 is away"));
    const body = aDeliverable(studio, { image_base64: images.png });
    expect((await call(studio, path, { body })).status).toBe(502);
    const log = await admin<AuditEntry[]>(studio, "audit-log", { limit: "2" });
    const [{ subject_id, api_token_id } = {}] = log;
    expect([subject_id, api_token_id]).toEqual([expect.any(String), expect.any(String)]);
    expect(log).toEqual(
      ["deliverable.rolled_back", "deliverable.created"].map((action) =>
        expect.objectContaining({
          action,
          subject_id,
          api_token_id,
          actor: studio.ownerEmail,
          operator: null,
        }),
      ),
    );
  });

  it("keeps the given embed_url even if there is also an image", async () => {
    const studio = await makeStudio();
    const created = async (fields: object) => {
      const answer = await call(studio, path, { body: aDeliverable(studio, fields) });
      return readDeliverable(studio, (await answer.json<{ id: string }>()).id);
    };
    const both = await created({ image_base64: images.png });
    expect(both.embed_url).toBe("https://www.example.com/concept");
    expect(both.asset_path).not.toBeNull();
    expect((await created({ image_base64: null })).asset_path).toBeNull();
    const only = await created({ embed_url: "", image_base64: images.png });
    expect(only.embed_url).toBe(only.share_url);
  });

  it.each([
    [{ title: "" }, "title is required (1-200 chars)"],
    [{ title: undefined }, "title is required (1-200 chars)"],
    [{ title: "x".repeat(201) }, "title is required (1-200 chars)"],
    [{ client_id: undefined }, "client_id is required"],
    [{ client_id: crypto.randomUUID() }, "client_id not found in this workspace"],
    [{ embed_url: undefined }, "Provide embed_url or image_base64"],
    [{ embed_url: null, image_base64: "" }, "Provide embed_url or image_base64"],
    [{ embed_url: "ftp://www.example.com" }, "embed_url must be an https URL"],
  ])("rejects %j", async (fields, error) => {
    const studio = await makeStudio();
    const answer = await call(studio, path, { body: aDeliverable(studio, fields) });
    expect(await refusal(answer)).toEqual([400, { error }]);
    expect(await countRows("deliverables", studio)).toBe(0);
  });

  it("ignores unknown fields with any content", async () => {
    const studio = await makeStudio();
    const send = (field: string) =>
      call(studio, path, { body: `${JSON.stringify(aDeliverable(studio)).slice(0, -1)},${field}}` });
    for (const field of ['"a":9007199254740993', '"a":{"b":[1e400]}', '"a":1,"a":2', '"a":{"b":1,"b":2}'])
      expect([field, (await send(field)).status]).toEqual([field, 201]);
    for (const [field, error] of [
      ['"image_base64":1e400', "image_base64 cannot be represented exactly"],
      ['"image_base64":{"a":1,"a":2}', "image_base64.a is repeated"],
      ['"title":"Other"', "title is repeated"],
    ] as const)
      expect(await refusal(await send(field))).toEqual([400, { error }]);
    expect(await countRows("deliverables", studio)).toBe(4);
  });

  it("rejects other file types, and returns 413 for an image over 10 MB", async () => {
    const studio = await makeStudio();
    const body = (image_base64: string) => aDeliverable(studio, { image_base64 });
    expect((await call(studio, path, { body: body(base64("<svg/>")) })).status).toBe(400);
    expect(await refusal(await call(studio, path, { body: body(pngOfBytes(10 * 1024 * 1024 + 1)) }))).toEqual(
      [413, expect.objectContaining({ code: "payload_too_large" })],
    );
    expect(await countRows("deliverables", studio)).toBe(0);
  });

  it("is subject to the plan's deliverable cap", async () => {
    const studio = await makeStudio({ plan: "solo" });
    await env.DB.prepare("UPDATE organizations SET deliverable_count = 49 WHERE id = ?")
      .bind(studio.organizationId)
      .run();
    const two = await Promise.all([0, 1].map(() => call(studio, path, { body: aDeliverable(studio) })));
    expect(two.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await refusal(await call(studio, path, { body: aDeliverable(studio) }))).toEqual([
      422,
      expect.objectContaining({ code: "upgrade_required", resource: "deliverables" }),
    ]);
  });

  it("returns 422 and stores nothing when the database rejects the row for another reason [G5]", async () => {
    const studio = await makeStudio();
    const body = aDeliverable(studio, { image_base64: images.png });
    const refusing = async (table: string, raised: string) => {
      await env.DB.exec(
        `CREATE TRIGGER refusing BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, '${raised}'); END;`,
      );
      const answer = await call(studio, path, { body });
      await env.DB.exec("DROP TRIGGER refusing");
      return refusal(answer);
    };
    const error = "The deliverable could not be created";
    expect(await refusing("deliverables", "no more of these")).toEqual([422, { error }]);
    expect(await refusing("deliverable_versions", "nor of these")).toEqual([422, { error }]);
    expect(await countRows("deliverables", studio)).toBe(0);
    expect(await imagesInBucket(studio)).toEqual([]);
  });
});
