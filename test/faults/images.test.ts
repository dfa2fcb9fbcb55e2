import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { claimLimits } from "../../src/contract/limits.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { images } from "../support/images.ts";
import { logged } from "../support/logged.ts";
import {
  failBucket,
  neverResolves,
  restoreBucket,
  restoreDatabase,
  setTripOutcomes,
} from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import {
  aDeliverable,
  countRows,
  imagesInBucket,
  makeDeliverable,
  makeStudio,
  type Studio,
} from "../support/review.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const unavailable = {
  error: "The image could not be stored. Nothing was created",
  code: "storage_unavailable",
};

async function stored(studio: Studio, from = { versions: 0, images: 0 }) {
  const versions = (await countRows("deliverable_versions", studio)) - from.versions;
  return { versions, images: (await imagesInBucket(studio)).length - from.images };
}

const writes = [
  {
    name: "POST /api-v1/deliverables",
    prepare: async () => {
      const studio = await makeStudio();
      const body = aDeliverable(studio, { embed_url: undefined, image_base64: images.png });
      return { studio, send: () => post(studio, "/api-v1/deliverables", body, "key") };
    },
  },
  {
    name: "POST /api-v1/deliverables/{id}/versions",
    prepare: async () => {
      const studio = await makeStudio();
      const id = await makeDeliverable(studio, { embed_url: undefined, image_base64: images.gif });
      const body = { image_base64: images.png };
      return { studio, send: () => post(studio, `/api-v1/deliverables/${id}/versions`, body, "key") };
    },
  },
];

describe.each(writes)("$name", ({ prepare }) => {
  it("tells the bucket to verify the bytes by their SHA-256", async () => {
    const put = vi.spyOn(env.IMAGES, "put");
    expect((await (await prepare()).send()).status).toBe(201);
    const [, bytes, options] = put.mock.lastCall ?? [];
    if (!(bytes instanceof Uint8Array)) throw new Error("the image was not put as bytes");
    expect(options?.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  const nothing = { versions: 0, images: 0 };
  const one = { versions: 1, images: 1 };

  it.each(["nothing", "a part"] as const)(
    "returns 502 when the bucket fails after storing %s, and the same key succeeds later",
    async (kept) => {
      const { studio, send } = await prepare();
      const before = await stored(studio);
      failBucket(kept);
      const failed = await send();
      expect([failed.status, await failed.json()]).toEqual([502, unavailable]);
      expect(await stored(studio, before)).toEqual(nothing);
      restoreBucket();
      expect((await send()).status).toBe(201);
      expect(await stored(studio, before)).toEqual(one);
    },
  );

  it("returns 502 if the stored part cannot be removed, and the same key overwrites it", async () => {
    const { studio, send } = await prepare();
    const before = await stored(studio);
    const lines = logged();
    failBucket("a part");
    vi.spyOn(env.IMAGES, "delete").mockRejectedValue(new Error("delete: internal error"));
    expect((await send()).status).toBe(502);
    const path = expect.stringContaining(studio.organizationId);
    expect(lines()).toMatchObject([{ storing: path }, { left: path }]);
    expect(await stored(studio, before)).toEqual({ versions: 0, images: 1 });
    vi.restoreAllMocks();
    expect((await send()).status).toBe(201);
    expect(await stored(studio, before)).toEqual(one);
  });

  it("returns 503 and removes the image if the database does not store the row", async () => {
    const { studio, send } = await prepare();
    const before = await stored(studio);
    setTripOutcomes((trip) => (trip === 2 ? "lost" : "through"));
    expect((await send()).status).toBe(503);
    expect(await stored(studio, before)).toEqual(nothing);
    restoreDatabase();
    expect((await send()).status).toBe(201);
    expect(await stored(studio, before)).toEqual(one);
  });

  it.each([
    ["the bucket", 502, () => failBucket("a part")],
    ["the database", 503, () => setTripOutcomes((trip) => (trip === 2 ? "lost" : "through"))],
  ])("responds only after it has removed the image when %s fails", async (_, status, fail) => {
    const { send } = await prepare();
    const removed = vi.fn();
    const remove = env.IMAGES.delete.bind(env.IMAGES);
    vi.spyOn(env.IMAGES, "delete").mockImplementation((keys) =>
      scheduler
        .wait(50)
        .then(() => remove(keys))
        .then(removed),
    );
    fail();
    expect((await send()).status).toBe(status);
    expect(removed).toHaveBeenCalledOnce();
  });

  it("returns 503 and keeps the image if the response to the commit is lost", async () => {
    const { studio, send } = await prepare();
    const before = await stored(studio);
    setTripOutcomes((trip) => (trip === 2 ? "answer lost" : "through"));
    expect((await send()).status).toBe(503);
    expect(await stored(studio, before)).toEqual(one);
    restoreDatabase();
    const healed = await send();
    expect(healed.status).toBe(200);
    expect(await healed.json()).toMatchObject({ idempotent_replay: true });
    expect(await stored(studio, before)).toEqual(one);
  });

  it("never removes an image that a retry may use", async () => {
    const { studio, send } = await prepare();
    const before = await stored(studio);
    stopClock();
    onTestFinished(startClock);
    setTripOutcomes((trip) => {
      // Removing an image may take up to 8 seconds.
      if (trip === 2) advanceClock(claimLimits.leaseSeconds - 8);
      return trip === 2 ? "lost" : "through";
    });
    const remove = env.IMAGES.delete.bind(env.IMAGES);
    vi.spyOn(env.IMAGES, "delete").mockImplementation(async (keys) => {
      restoreDatabase();
      expect((await send()).status).toBe(201);
      await remove(keys);
    });
    expect((await send()).status).toBe(503);
    restoreDatabase();
    expect([200, 201]).toContain((await send()).status);
    expect(await stored(studio, before)).toEqual(one);
  });

  it.each(["lost", "answer lost"] as const)(
    "stores no row without its image if the database stays unavailable (%s)",
    async (fate) => {
      const { studio, send } = await prepare();
      const before = await stored(studio);
      setTripOutcomes((trip) => (trip === 1 ? "through" : trip === 2 ? fate : "lost"));
      expect((await send()).status).toBe(503);
      restoreDatabase();
      expect((await stored(studio, before)).images).toBe(1);
      expect([200, 201]).toContain((await send()).status);
      expect(await stored(studio, before)).toEqual(one);
    },
  );
});

describe("POST /api-create-deliverable", () => {
  const prepare = async () => {
    const studio = await makeStudio();
    const body = aDeliverable(studio, { embed_url: undefined, image_base64: images.png });
    const left = async () => [
      await countRows("deliverables", studio),
      await countRows("deliverable_versions", studio),
      (await imagesInBucket(studio)).length,
      await env.DB.prepare("SELECT deliverable_count FROM organizations WHERE id = ?")
        .bind(studio.organizationId)
        .first("deliverable_count"),
      await countRows("stored_images", studio),
    ];
    return { send: () => call(studio, "/api-create-deliverable", { body }), left };
  };

  it.each(["nothing", "a part"] as const)(
    "returns 502 and rolls back the row when the bucket fails after storing %s",
    async (kept) => {
      const { send, left } = await prepare();
      failBucket(kept);
      const failed = await send();
      expect([failed.status, await failed.json()]).toEqual([502, unavailable]);
      expect(await left()).toEqual([0, 0, 0, 0, 0]);
    },
  );

  it.each(["lost", "answer lost"] as const)(
    "returns 502 and rolls back if the image cannot be attached (%s)",
    async (fate) => {
      const { send, left } = await prepare();
      setTripOutcomes((trip) => (trip === 3 ? fate : "through"));
      expect((await send()).status).toBe(502);
      expect(await left()).toEqual([0, 0, 0, 0, 0]);
    },
  );

  it("logs an image that can be neither attached nor removed", async () => {
    const { send, left } = await prepare();
    const lines = logged();
    failBucket("a part");
    vi.spyOn(env.IMAGES, "delete").mockRejectedValue(new Error("delete: internal error"));
    expect((await send()).status).toBe(502);
    const path = expect.stringMatching(/\.png$/);
    expect(lines()).toMatchObject([{ attaching: path }, { left: path }]);
    expect(await left()).toEqual([0, 0, 1, 0, 0]);
  });

  it("returns 503 and stores nothing if the row cannot be written", async () => {
    const { send, left } = await prepare();
    setTripOutcomes((trip) => (trip === 2 ? "lost" : "through"));
    expect((await send()).status).toBe(503);
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
  });

  it.each([
    ["SQLITE_BUSY", 503],
    ["SQLITE_INTERRUPT", 500],
    ["SQLITE_CONSTRAINT_CHECK", 422],
  ])("stores nothing and logs the cause when the database returns %s: %d", async (code, status) => {
    const { send, left } = await prepare();
    const lines = logged();
    const batch = env.DB.batch.bind(env.DB);
    const trips = vi.spyOn(env.DB, "batch").mockImplementationOnce(batch);
    trips.mockRejectedValueOnce(new Error(`D1_ERROR: not now: ${code}`));
    expect((await send()).status).toBe(status);
    expect(JSON.stringify(lines())).toContain(code);
    restoreDatabase();
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
  });

  it("returns 503 and keeps the row with its image if the rollback fails", async () => {
    const { send, left } = await prepare();
    setTripOutcomes((trip) => (trip === 3 ? "answer lost" : trip > 3 ? "lost" : "through"));
    expect((await send()).status).toBe(503);
    expect(await left()).toEqual([1, 1, 1, 1, 1]);
  });
});

it("a create returns 502 within the deadline when the bucket hangs", async () => {
  const studio = await makeStudio();
  const body = aDeliverable(studio, { embed_url: undefined, image_base64: images.png });
  const send = () => post(studio, "/api-v1/deliverables", body, "key");
  vi.spyOn(env.IMAGES, "put").mockImplementation(neverResolves as never);
  const started = Date.now();
  const failed = await send();
  expect([failed.status, await failed.json()]).toEqual([502, unavailable]);
  expect(Date.now() - started).toBeLessThan(20_000);
  restoreBucket();
  expect((await send()).status).toBe(201);
  expect(await stored(studio)).toEqual({ versions: 1, images: 1 });
});

it("an image that cannot be read is a 502, and the cause is logged", async () => {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio, { embed_url: undefined, image_base64: images.png });
  const read = () => call(studio, `/api-v1/deliverables/${id}/versions/1/image`);
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(env.IMAGES, "get").mockRejectedValueOnce(new Error("get: internal error"));
  const failed = await read();
  expect([failed.status, await failed.json()]).toEqual([
    502,
    { ...unavailable, error: "The image could not be read" },
  ]);
  expect(logged.mock.calls.join()).toContain("get: internal error");
  expect((await read()).status).toBe(200);
});
