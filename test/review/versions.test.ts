import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Version } from "../../src/review/deliverables/version.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { base64, images, pngOfBytes } from "../support/images.ts";
import { post } from "../support/partner.ts";
import {
  countRows,
  imagesInBucket,
  makeDeliverable,
  makeProject,
  makeStudio,
  readDeliverable,
  signOff,
  versionsOf,
} from "../support/review.ts";

const path = (id: string) => `/api-v1/deliverables/${id}/versions`;
const refusal = async (answer: Response) => [answer.status, await answer.json()];

/** The hash from contract V13, implemented independently of the service. */
function hashOf(version: Version): string {
  const others = Object.entries(version).filter(([field]) => !["id", "hash"].includes(field));
  return createHash("sha256")
    .update(canonicalize(Object.fromEntries(others)) ?? "")
    .digest("hex");
}

describe("POST /api-v1/deliverables/{id}/versions", () => {
  it("appends a snapshot and carries omitted fields forward [V10, V12]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { image_base64: images.png });
    const before = await readDeliverable(studio, id);
    const answer = await post(studio, path(id), { title: " Second ", note: "Larger headline" });
    expect(answer.status).toBe(201);
    const second = await answer.json<Version>();
    const [first] = await versionsOf(id);
    expect(second).toEqual({
      id: expect.any(String),
      deliverable_id: id,
      version_number: 2,
      title: "Second",
      embed_url: before.embed_url,
      asset_path: before.asset_path,
      asset_content_type: "image/png",
      asset_sha256: first?.asset_sha256,
      note: "Larger headline",
      previous_hash: first?.hash,
      hash: hashOf(second),
      created_by: studio.ownerId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const third = await (await post(studio, path(id), {})).json<Version>();
    expect(third).toMatchObject({ version_number: 3, title: "Second", note: "Larger headline" });
    expect(await readDeliverable(studio, id)).toMatchObject({
      title: "Second",
      version_number: 3,
      asset_path: before.asset_path,
    });
  });

  it("replaces the image and the embed_url, and the old version keeps its image", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { embed_url: undefined, image_base64: images.png });
    const embed_url = "https://www.example.com/second";
    const answer = await post(studio, path(id), { embed_url, image_base64: images.gif });
    const second = await answer.json<Version>();
    expect(second).toMatchObject({ embed_url, asset_content_type: "image/gif" });
    expect(await readDeliverable(studio, id)).toMatchObject({ embed_url, asset_path: second.asset_path });
    const [first] = await versionsOf(id);
    expect((await imagesInBucket(studio)).sort()).toEqual([first?.asset_path, second.asset_path].sort());
  });

  it("chains every version to the previous one with a reproducible hash [V13]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { title: "Entwurf „Ä“ \u00a0 🎨" });
    for (const body of [{}, { note: "\n\t <b>\u200e" }, { image_base64: images.webp }]) {
      expect((await post(studio, path(id), body)).status).toBe(201);
    }
    const versions = await versionsOf(id);
    expect(versions.map(({ version_number }) => version_number)).toEqual([1, 2, 3, 4]);
    for (const [index, version] of versions.entries()) {
      expect(version.hash).toBe(hashOf(version));
      expect(version.previous_hash).toBe(versions[index - 1]?.hash ?? null);
    }
  });

  it("starts a new review", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    await env.DB.prepare(
      `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name)
        VALUES (?, ?, ?, 1, 'change_request', 'Larger', 'Nora')`,
    )
      .bind(crypto.randomUUID(), studio.organizationId, id)
      .run();
    expect((await readDeliverable(studio, id)).review_state).toBe("changes_requested");
    await post(studio, path(id), {});
    expect((await readDeliverable(studio, id)).review_state).toBe("draft");
  });

  it("returns a replay with the version, and rejects a used key for another body or deliverable", async () => {
    const studio = await makeStudio();
    const [id, other] = [await makeDeliverable(studio), await makeDeliverable(studio)];
    const first = await (await post(studio, path(id), { note: "a" }, "key")).json<object>();
    const again = await post(studio, path(id), { note: "a" }, "key");
    expect([again.status, await again.json()]).toEqual([200, { ...first, idempotent_replay: true }]);
    for (const [at, body] of [
      [id, { note: "b" }],
      [other, { note: "a" }],
    ] as const) {
      expect((await post(studio, path(at), body, "key")).status).toBe(409);
    }
    expect(await versionsOf(id)).toHaveLength(2);
  });

  it("returns a replay even if the deliverable has been signed off since", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const first = await (await post(studio, path(id), { note: "a" }, "key")).json<object>();
    await signOff(studio, id);
    const again = await post(studio, path(id), { note: "a" }, "key");
    expect([again.status, await again.json()]).toEqual([200, { ...first, idempotent_replay: true }]);
  });

  it.each([
    [{ title: null }, /^title /],
    [{ title: "" }, /^title must have 1 to 200 characters$/],
    [{ title: "x".repeat(201) }, /^title /],
    [{ embed_url: null }, /^embed_url must be an https URL$/],
    [{ embed_url: "http://www.example.com" }, /^embed_url must be an https URL$/],
    [{ image_base64: null }, /^image_base64 /],
    [{ image_base64: base64("%PDF-1.7") }, /^image_base64 /],
    [{ note: null }, /^note /],
    [{ note: "x".repeat(2001) }, /^note /],
    [{ client_id: crypto.randomUUID() }, /^client_id is not a known field$/],
    [[], /^body must be an object$/],
  ])("rejects %j", async (body, error) => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const answer = await post(studio, path(id), body);
    expect(await refusal(answer)).toEqual([400, { error: expect.stringMatching(error) }]);
    expect(await versionsOf(id)).toHaveLength(1);
  });

  it("returns 413 for an image over 10 MB", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const image_base64 = pngOfBytes(10 * 1024 * 1024 + 1);
    expect(await refusal(await post(studio, path(id), { image_base64 }))).toEqual([
      413,
      { error: "image_base64 must be at most 10 MB decoded", code: "payload_too_large" },
    ]);
  });

  it("returns 409 deliverable_signed_off after the sign-off and stores no image", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await signOff(studio, id);
    const put = vi.spyOn(env.IMAGES, "put");
    expect(await refusal(await post(studio, path(id), { image_base64: images.png }))).toEqual([
      409,
      { error: "This deliverable is signed off", code: "deliverable_signed_off" },
    ]);
    expect(put).not.toHaveBeenCalled();
  });
});

describe("the revision allowance", () => {
  const overBudget = [422, expect.objectContaining({ code: "revision_over_budget" })];

  it("counts each version after the first across all deliverables of the project [V15]", async () => {
    const studio = await makeStudio({ project: { included_revision_rounds: 2 } });
    const { projectId: project_id } = studio;
    const [one, two] = [
      await makeDeliverable(studio, { project_id }),
      await makeDeliverable(studio, { project_id }),
    ];
    expect((await post(studio, path(one), {})).status).toBe(201);
    expect((await post(studio, path(two), {})).status).toBe(201);
    const put = vi.spyOn(env.IMAGES, "put");
    expect(await refusal(await post(studio, path(one), { image_base64: images.png }))).toEqual(overBudget);
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
    expect(await imagesInBucket(studio)).toEqual([]);
    await env.DB.prepare(
      `INSERT INTO revision_overrides (id, organization_id, project_id, rounds, reason, created_by)
        VALUES (?, ?, ?, 1, 'agreed', ?)`,
    )
      .bind(crypto.randomUUID(), studio.organizationId, project_id, studio.ownerId)
      .run();
    expect((await post(studio, path(one), {})).status).toBe(201);
    expect(await refusal(await post(studio, path(one), {}))).toEqual(overBudget);
  });

  it("applies only with a project that has included rounds", async () => {
    const studio = await makeStudio();
    const free = [
      await makeDeliverable(studio),
      await makeDeliverable(studio, { project_id: studio.projectId }),
    ];
    for (const id of free) {
      for (let round = 0; round < 3; round += 1) expect((await post(studio, path(id), {})).status).toBe(201);
    }
    const strict = await makeStudio({ project: { included_revision_rounds: 0 } });
    await makeProject(strict, strict.clientId, { included_revision_rounds: 9 });
    const loose = await makeProject(strict, strict.clientId, { included_revision_rounds: 9 });
    const other = await makeDeliverable(strict, { project_id: loose });
    expect((await post(strict, `/api-v1/deliverables/${other}/versions`, {})).status).toBe(201);
    const id = await makeDeliverable(strict, { project_id: strict.projectId });
    expect(await refusal(await post(strict, path(id), {}))).toEqual(overBudget);
  });

  it("cannot be exceeded by two concurrent versions [V15]", async () => {
    for (const deliverables of [1, 2]) {
      const studio = await makeStudio({ project: { included_revision_rounds: 1 } });
      const ids: string[] = [];
      for (let made = 0; made < deliverables; made += 1) {
        ids.push(await makeDeliverable(studio, { project_id: studio.projectId }));
      }
      const appends = [0, 1, 2, 3].map((n) =>
        post(studio, path(ids[n % ids.length] ?? ""), { note: `${n}`, image_base64: images.png }),
      );
      const answers = await Promise.all(appends);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      expect(await countRows("deliverable_versions", studio)).toBe(deliverables + 1);
      expect(await imagesInBucket(studio)).toHaveLength(1);
    }
  });
});

describe("concurrent appends", () => {
  it("all succeed under different keys and form a chain", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    // Each round appends one version. There are few rounds, so that every append succeeds even on a busy machine.
    const appends = Array.from({ length: 6 }, (_, n) => post(studio, path(id), { note: `${n}` }));
    const answers = await Promise.all(appends);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const versions = await versionsOf(id);
    expect(versions.map(({ version_number }) => version_number)).toEqual(
      Array.from({ length: 7 }, (_, n) => n + 1),
    );
    for (const [index, { previous_hash }] of versions.entries()) {
      expect(previous_hash).toBe(versions[index - 1]?.hash ?? null);
    }
  });

  it("return 500 after five seconds of version conflicts, and the same key appends later", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const append = async () => (await post(studio, path(id), {}, "key")).status;
    vi.spyOn(console, "error").mockImplementation(() => {});
    stopClock();
    onTestFinished(startClock);
    const batch = env.DB.batch.bind(env.DB);
    let tries = 0;
    const trips = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const isAppend = /insert into "deliverable_versions"/i.test(
        JSON.stringify(statements).replaceAll("\\", ""),
      );
      if (!isAppend || tries > 9) return batch(statements) as never;
      tries += 1;
      advanceClock(2.5);
      throw new Error("D1_ERROR: version_conflict: SQLITE_CONSTRAINT_TRIGGER");
    });
    expect([await append(), tries]).toEqual([500, 2]);
    trips.mockRestore();
    expect(await append()).toBe(201);
  });

  it("create one version under one key", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const appends = Array.from({ length: 20 }, () =>
      post(studio, path(id), { image_base64: images.png }, "key"),
    );
    const statuses = (await Promise.all(appends)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(await versionsOf(id)).toHaveLength(2);
    expect(await imagesInBucket(studio)).toHaveLength(1);
  });
});
