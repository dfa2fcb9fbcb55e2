import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/platform/digest.ts";
import type { Version } from "../../src/review/deliverables/version.ts";
import { images } from "../support/images.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const bytes = new Uint8Array(Buffer.from(images.png, "base64"));
const sha256 = sha256Hex(bytes);

async function makeDeliverable(workspace: Workspace, versions = 1): Promise<string> {
  const { client_id } = await makeRecords(workspace);
  const image_base64 = Buffer.from(bytes).toString("base64");
  const made = await post(workspace, "/api-v1/deliverables", { title: "Logo", client_id, image_base64 });
  const { id } = await made.json<{ id: string }>();
  for (let number = 2; number <= versions; number += 1) {
    const version = await post(workspace, `/api-v1/deliverables/${id}/versions`, { note: `Round ${number}` });
    expect(version.status).toBe(201);
  }
  return id;
}

type Page = { data: Version[]; next_cursor: string | null };

describe("GET /api-v1/deliverables/{id}/versions", () => {
  it("returns every version once, in ascending order [V21]", async () => {
    const workspace = await makeWorkspace();
    const id = await makeDeliverable(workspace, 5);
    const path = `/api-v1/deliverables/${id}/versions`;
    for (const limit of [1, 2, 5, 200]) {
      const numbers: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: Page = await (
          await call(workspace, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        ).json();
        numbers.push(...page.data.map(({ version_number }) => version_number));
        cursor = page.next_cursor;
      }
      expect(numbers).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("returns each version exactly as GET by number does, chained to the previous version", async () => {
    const workspace = await makeWorkspace();
    const id = await makeDeliverable(workspace, 3);
    const { data }: Page = await (await call(workspace, `/api-v1/deliverables/${id}/versions`)).json();
    for (const [index, version] of data.entries()) {
      expect(version.previous_hash).toBe(data[index - 1]?.hash ?? null);
      const alone = await call(workspace, `/api-v1/deliverables/${id}/versions/${version.version_number}`);
      expect(await alone.json()).toEqual(version);
    }
  });

  it("applies updated_since to each version's creation time", async () => {
    const workspace = await makeWorkspace();
    const [id, other] = [await makeDeliverable(workspace, 3), await makeDeliverable(workspace, 3)];
    const path = `/api-v1/deliverables/${id}/versions`;
    const { data, next_cursor }: Page = await (await call(workspace, `${path}?limit=1`)).json();
    const later: Page = await (await call(workspace, `${path}?updated_since=2999-01-01T00:00:00Z`)).json();
    expect(later).toEqual({ data: [], next_cursor: null });
    const all: Page = await (await call(workspace, `${path}?updated_since=${data[0]?.created_at}`)).json();
    expect(all.data).toHaveLength(3);
    for (const wrong of [
      `/api-v1/deliverables/${other}/versions?cursor=${next_cursor}`,
      `${path}?updated_since=2025-01-01T00:00:00Z&cursor=${next_cursor}`,
      `${path}?cursor=x`,
    ]) {
      const answer = await call(workspace, wrong);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "cursor is not valid for this list" },
      ]);
    }
  });

  it("returns 404 for an unknown deliverable or version", async () => {
    const workspace = await makeWorkspace();
    const id = await makeDeliverable(workspace);
    const unknown = crypto.randomUUID();
    for (const path of [`${unknown}/versions`, `${unknown}/versions/1`, `${id}/versions/2`]) {
      expect((await call(workspace, `/api-v1/deliverables/${path}`)).status).toBe(404);
    }
    for (const number of ["0", "-1", "1.5", "one", "01", "1000000000"]) {
      const answer = await call(workspace, `/api-v1/deliverables/${id}/versions/${number}`);
      expect([answer.status, await answer.json()]).toEqual([400, { error: "n must be a version number" }]);
    }
  });
});

describe("GET /api-v1/deliverables/{id}/versions/{n}/image", () => {
  const image = async (headers: Record<string, string> = {}) => {
    const workspace = await makeWorkspace();
    const id = await makeDeliverable(workspace);
    return call(workspace, `/api-v1/deliverables/${id}/versions/1/image`, { headers });
  };
  const read = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

  it("returns the stored bytes with their type and forbids caching [V21]", async () => {
    const answer = await image();
    expect(answer.status).toBe(200);
    expect(await read(answer)).toEqual(bytes);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      etag: `"${sha256}"`,
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-length": String(bytes.byteLength),
    });
  });

  it.each([`"${sha256}"`, `W/"${sha256}"`, "*", `"other", "${sha256}"`])(
    "returns 304 without a body for If-None-Match: %s",
    async (tag) => {
      const answer = await image({ "if-none-match": tag, range: "bytes=0-1" });
      expect([answer.status, await answer.text(), answer.headers.get("etag")]).toEqual([
        304,
        "",
        `"${sha256}"`,
      ]);
    },
  );

  it.each([
    ["bytes=0-3", 0, 4],
    ["bytes=4-4", 4, 5],
    ["bytes=4-", 4, bytes.byteLength],
    ["bytes=-5", bytes.byteLength - 5, bytes.byteLength],
    ["bytes=-99999999", 0, bytes.byteLength],
    ["bytes=10-99999999", 10, bytes.byteLength],
    ["Bytes=0-3", 0, 4],
  ])("returns the requested part for Range: %s", async (range, start, end) => {
    const answer = await image({ range });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([
      206,
      `bytes ${start}-${end - 1}/${bytes.byteLength}`,
    ]);
    expect(await read(answer)).toEqual(bytes.slice(start, end));
  });

  it.each(["bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=", "bytes=-"])(
    "returns the whole image for an unsupported Range: %s",
    async (range) => {
      const answer = await image({ range });
      expect([answer.status, (await read(answer)).byteLength]).toEqual([200, bytes.byteLength]);
    },
  );

  it("returns the whole image if If-Range has another ETag", async () => {
    // A weak ETag does not guarantee identical bytes (RFC 9110, 13.1.5).
    for (const other of ['"another"', `W/"${sha256}"`])
      expect((await image({ range: "bytes=0-3", "if-range": other })).status).toBe(200);
    expect((await image({ range: "bytes=0-3", "if-range": `"${sha256}"` })).status).toBe(206);
  });

  it.each(["bytes=99999999-", "bytes=99999999-100000000"])(
    "returns 416 with the size for Range: %s",
    async (range) => {
      const answer = await image({ range });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([
        416,
        `bytes */${bytes.byteLength}`,
      ]);
    },
  );

  it("returns 404 if the version has no image or the bucket has lost it", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const lost = await makeDeliverable(workspace);
    const { objects } = await env.IMAGES.list({ prefix: `organizations/${workspace.organizationId}/` });
    await env.IMAGES.delete(objects.map(({ key }) => key));
    const plain = await post(workspace, "/api-v1/deliverables", {
      title: "Site",
      client_id,
      embed_url: "https://example.com",
    });
    const { id } = await plain.json<{ id: string }>();
    for (const each of [lost, id]) {
      const answer = await call(workspace, `/api-v1/deliverables/${each}/versions/1/image`);
      expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found", code: "not_found" }]);
    }
  });
});
