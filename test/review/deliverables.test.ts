import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { newSecret } from "../../src/platform/secret.ts";
import type { Deliverable } from "../../src/review/deliverables/record.ts";
import { sql } from "../support/filled-workspace.ts";
import { base64, contentTypes, images, pngOfBytes, webpOfNestedFrames } from "../support/images.ts";
import { call, post } from "../support/partner.ts";
import {
  aDeliverable,
  countRows,
  imagesInBucket,
  makeClient,
  makeDeliverable,
  makeProject,
  makeStudio,
  readDeliverable,
  versionsOf,
} from "../support/review.ts";
import { Reviewer } from "../support/reviewer.ts";

const path = "/api-v1/deliverables";
const refusal = async (answer: Response) => [answer.status, await answer.json()];

describe("POST /api-v1/deliverables", () => {
  it("creates a draft with version 1 and returns it with id and share_url first [V1, V4, V11]", async () => {
    const studio = await makeStudio();
    const answer = await post(studio, path, aDeliverable(studio, { project_id: studio.projectId }));
    expect(answer.status).toBe(201);
    const created = await answer.json<Deliverable>();
    expect(Object.keys(created).slice(0, 2)).toEqual(["id", "share_url"]);
    expect(created.share_url).toMatch(/^https:\/\/app\.example\.com\/review\/[\w-]{32}$/);
    expect(await readDeliverable(studio, created.id)).toEqual(created);
    expect(created).toEqual({
      id: created.id,
      title: "Homepage concept",
      client_id: studio.clientId,
      project_id: studio.projectId,
      embed_url: "https://www.example.com/concept",
      asset_path: null,
      share_url: created.share_url,
      review_state: "draft",
      current_state: "open",
      status_label: null,
      version_number: 1,
      is_sample: false,
      sent_at: null,
      reminder_due_at: null,
      delivery_problem: null,
      signed_off_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    });
    const [version, ...others] = await versionsOf(created.id);
    expect(others).toEqual([]);
    expect(version).toMatchObject({ version_number: 1, title: "Homepage concept", previous_hash: null });
    expect(version?.created_by).toBe(studio.ownerId);
  });

  it("builds share_url from an https Origin, or from the application's URL without one [V5]", async () => {
    const studio = await makeStudio();
    const shared = async (origin: string) => {
      const headers = { origin };
      const answer = await call(studio, path, {
        body: aDeliverable(studio),
        key: crypto.randomUUID(),
        headers,
      });
      return new URL((await answer.json<{ share_url: string }>()).share_url).origin;
    };
    expect(await shared("https://portal.example.org")).toBe("https://portal.example.org");
    expect(await shared("https://portal.example.org:8443")).toBe("https://portal.example.org:8443");
    for (const origin of ["http://portal.example.org", "null", "https://evil.example/path", "https://"]) {
      expect(await shared(origin)).toBe("https://app.example.com");
    }
  });

  it("prefixes the token in share_url with the workspace's prefix [X5]", async () => {
    const studio = await makeStudio();
    const [own] = await sql<{ link_prefix: string }>(
      "SELECT link_prefix FROM organizations WHERE id = ?",
      studio.organizationId,
    );
    expect(own?.link_prefix).toMatch(/^[\w-]{8}$/);
    const answers = [
      await post(studio, path, aDeliverable(studio)),
      await call(studio, "/api-create-deliverable", { body: aDeliverable(studio) }),
    ];
    for (const answer of answers) {
      const { share_url } = await answer.json<{ share_url: string }>();
      expect(share_url).toContain(`/review/${own?.link_prefix}`);
      expect((await new Reviewer(share_url).fetch(new URL(share_url).pathname)).status).toBe(200);
    }
    const id = await makeDeliverable(studio);
    const before = `/review/${newSecret().slice(0, 32)}`;
    await sql("UPDATE deliverables SET share_url = ? WHERE id = ?", `https://app.example.com${before}`, id);
    expect((await new Reviewer("https://app.example.com").fetch(before)).status).toBe(200);
  });

  it("replays the first response, even if the deliverable has changed since", async () => {
    const studio = await makeStudio();
    const first = await (await post(studio, path, aDeliverable(studio), "key")).json<Deliverable>();
    expect((await post(studio, `${path}/${first.id}/versions`, { note: "Larger" })).status).toBe(201);
    const again = await post(studio, path, aDeliverable(studio), "key");
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ ...first, idempotent_replay: true });
    expect(await refusal(await post(studio, path, aDeliverable(studio, { title: "Other" }), "key"))).toEqual([
      409,
      expect.objectContaining({ code: "idempotency_key_reused" }),
    ]);
    expect(await countRows("deliverables", studio)).toBe(1);
  });

  it.each([
    [{ title: undefined }, "title is required (1-200 chars)"],
    [{ title: null }, "title is required (1-200 chars)"],
    [{ title: "   " }, "title is required (1-200 chars)"],
    [{ title: "x".repeat(201) }, "title is required (1-200 chars)"],
    [{ title: 5 }, "title is required (1-200 chars)"],
    [{ client_id: undefined }, "client_id is required"],
    [{ client_id: null }, "client_id is required"],
    [{ client_id: "" }, "client_id is required"],
    [{ client_id: "c1" }, "client_id must be a UUID"],
    [{ client_id: crypto.randomUUID() }, "client_id not found in this workspace"],
    [{ embed_url: undefined }, "Provide embed_url or image_base64"],
    [{ embed_url: "" }, "embed_url must be an https URL"],
    [{ embed_url: "http://www.example.com" }, "embed_url must be an https URL"],
    [{ embed_url: "https://" }, "embed_url must be an https URL"],
    [{ embed_url: "https://a b.example" }, "embed_url must be an https URL"],
    [{ embed_url: "https://www.exa\nmple.com/" }, "embed_url must be an https URL"],
    [{ embed_url: "https://www.example.com/\u007f" }, "embed_url must be an https URL"],
    [{ embed_url: "https://user:secret@www.example.com/" }, "embed_url must be an https URL"],
    [{ embed_url: "https://user@www.example.com/" }, "embed_url must be an https URL"],
    [{ embed_url: "https://:secret@www.example.com/" }, "embed_url must be an https URL"],
    [{ embed_url: `https://www.example.com/${"é".repeat(1977)}` }, "embed_url must be an https URL"],
    [{ embed_url: `https://www.example.com/${"🎨".repeat(1977)}` }, "embed_url must be an https URL"],
    [{ title: "Home\u202egnp.egap" }, "title must be one line without control characters"],
    [{ title: "Home\nBcc: x" }, "title must be one line without control characters"],
    [{ embed_url: "javascript:alert(1)//https://" }, "embed_url must be an https URL"],
    [{ embed_url: "https://www.example.com/a\nb" }, "embed_url must be an https URL"],
    [{ embed_url: "https://www.example.com/\u202egnp.egap" }, "embed_url must be an https URL"],
    [{ embed_url: `https://www.example.com/${"x".repeat(1977)}` }, "embed_url must be an https URL"],
    [{ project_id: "p1" }, "project_id must be a UUID"],
    [{ project_id: crypto.randomUUID() }, "project_id not found in this workspace"],
    [{ is_sample: true }, "is_sample is not a known field"],
  ])("rejects %j", async (fields, error) => {
    const studio = await makeStudio();
    expect(await refusal(await post(studio, path, aDeliverable(studio, fields)))).toEqual([400, { error }]);
    expect(await countRows("deliverables", studio)).toBe(0);
  });

  it.each([
    "HTTPS://WWW.Example.com:443/a/../b?q=é",
    "https://bücher.example",
    `https://www.example.com/${"é".repeat(1976)}`,
    `https://www.example.com/${"🎨".repeat(1976)}`,
  ])("returns an embed_url as sent, in a form that every write accepts: %s [T14]", async (sent) => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { embed_url: sent });
    const { embed_url } = await readDeliverable(studio, id);
    expect(embed_url).toBe(sent);
    const version = await post(studio, `${path}/${id}/versions`, { embed_url });
    expect([version.status, (await version.json<{ embed_url: string }>()).embed_url]).toEqual([201, sent]);
    const legacy = await call(studio, "/api-create-deliverable", {
      body: aDeliverable(studio, { embed_url }),
    });
    expect(legacy.status).toBe(201);
    const copy = await legacy.json<{ id: string }>();
    expect((await readDeliverable(studio, copy.id)).embed_url).toBe(sent);
  });

  it("accepts a title of 200 and an embed_url of 2000 characters, and trims both [V2]", async () => {
    const studio = await makeStudio();
    const embed_url = `https://www.example.com/${"x".repeat(1976)}`;
    const title = "🎨".repeat(200);
    const id = await makeDeliverable(studio, { title: `  ${title} `, embed_url: ` ${embed_url} ` });
    expect(await readDeliverable(studio, id)).toMatchObject({ title, embed_url });
  });

  it("rejects another workspace's client or project, and another client's project [E6, E7]", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    const mine = await makeProject(studio, await makeClient(studio));
    for (const [fields, error] of [
      [{ client_id: other.clientId }, "client_id not found in this workspace"],
      [{ project_id: other.projectId }, "project_id not found in this workspace"],
      [{ project_id: mine }, "project_id does not belong to this client"],
    ] as const) {
      expect(await refusal(await post(studio, path, aDeliverable(studio, fields)))).toEqual([400, { error }]);
    }
  });

  it("marks a sample client's deliverable as a sample", async () => {
    const studio = await makeStudio();
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(studio.clientId).run();
    expect(await readDeliverable(studio, await makeDeliverable(studio))).toMatchObject({ is_sample: true });
  });
});

describe("the plan's deliverable cap", () => {
  it("rejects a deliverable over the cap, even for concurrent creates [V6]", async () => {
    const studio = await makeStudio({ plan: "solo" });
    await env.DB.prepare("UPDATE organizations SET deliverable_count = 48 WHERE id = ?")
      .bind(studio.organizationId)
      .run();
    const id = await makeDeliverable(studio);
    expect((await post(studio, `${path}/${id}/versions`, {})).status).toBe(201);
    const image = { embed_url: undefined, image_base64: images.png };
    const two = await Promise.all([
      post(studio, path, aDeliverable(studio, image)),
      post(studio, path, aDeliverable(studio, image)),
    ]);
    expect(two.map(({ status }) => status).sort()).toEqual([201, 422]);
    const refused = two.find(({ status }) => status === 422);
    expect(await refused?.json()).toEqual({
      error: "Your plan's deliverable limit is reached",
      code: "upgrade_required",
      resource: "deliverables",
    });
    expect(await countRows("deliverables", studio)).toBe(2);
    expect(await imagesInBucket(studio)).toHaveLength(1);
    const put = vi.spyOn(env.IMAGES, "put");
    expect((await post(studio, path, aDeliverable(studio, image))).status).toBe(422);
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
    const wrong = aDeliverable(studio, { project_id: crypto.randomUUID() });
    expect((await post(studio, path, wrong)).status).toBe(400);
  });
});

describe("inline images", () => {
  it.each(["png", "jpg", "gif", "webp"] as const)(
    "recognizes a %s by its bytes and stores it in version 1 [V3]",
    async (kind) => {
      const studio = await makeStudio();
      const declared = {
        png: "",
        jpg: "data:;base64,",
        gif: "data:text/html;name=x.svg;base64,",
        webp: "DATA:x;BASE64,",
      };
      const image_base64 = declared[kind] + images[kind];
      const id = await makeDeliverable(studio, { embed_url: undefined, image_base64 });
      const { asset_path, embed_url } = await readDeliverable(studio, id);
      const [version] = await versionsOf(id);
      expect(embed_url).toBeNull();
      expect(version).toMatchObject({ asset_path, asset_content_type: contentTypes[kind] });
      expect(await imagesInBucket(studio)).toEqual([asset_path]);
      const [folder, name] = [`organizations/${studio.organizationId}/images`, version?.asset_sha256];
      expect(asset_path).toMatch(new RegExp(`^${folder}/[0-9a-f]{32}-${name}\\.${kind}$`));
      const stored = await env.IMAGES.get(asset_path ?? "");
      expect(stored?.httpMetadata?.contentType).toBe(contentTypes[kind]);
      expect(Buffer.from((await stored?.arrayBuffer()) ?? []).toString("base64")).toBe(images[kind]);
    },
  );

  it.each([
    ["with line breaks", images.png.replaceAll(/.{76}/g, "$&\r\n")],
    ["without padding", images.png.replaceAll("=", "")],
    ["with spaces around it", ` \n\t${images.png} `],
    ["with a space before its data: prefix", ` \ndata:image/png;base64,${images.png}`],
  ])("accepts base64 %s [T12]", async (_, image_base64) => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { embed_url: undefined, image_base64 });
    const stored = await env.IMAGES.get((await readDeliverable(studio, id)).asset_path ?? "");
    expect(Buffer.from((await stored?.arrayBuffer()) ?? []).toString("base64")).toBe(images.png);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ["an SVG", base64(svg)],
    ["an SVG that declares itself a PNG", `data:image/png;base64,${base64(svg)}`],
    ["an SVG as data: URL text", `data:image/svg+xml;utf8,${svg}`],
    ["a PDF", base64("%PDF-1.7\n%âãÏÓ")],
    ["a BMP", base64(`BM${"\0".repeat(60)}`)],
    ["HTML", base64("<!doctype html><title>GIF89a</title>")],
    [
      "a RIFF file that is not a WebP",
      Buffer.from(`RIFF\x24\0\0\0WAVEfmt ${"\0".repeat(16)}`).toString("base64"),
    ],
    ["the empty string", ""],
    ["an empty data: URL", "data:image/png;base64,"],
    ["a data: URL with a lone surrogate", `data:\ud800;base64,${images.png}`],
    ["base64 with a space inside", `${images.png.slice(0, 76)} ${images.png.slice(76)}`],
    ["base64url", "_9j_4AAQSkZJRgABAQEASABIAAD_2wBDAP__"],
    ["base64 with characters after its padding", `${images.png}AAAA`],
    ["base64 with stray bits", images.png.replace("gg==", "gh==")],
    ["a number", 5],
  ])("rejects %s", async (_, image_base64) => {
    const studio = await makeStudio();
    const answer = await post(studio, path, aDeliverable(studio, { image_base64 }));
    expect(answer.status).toBe(400);
    expect((await answer.json<{ error: string }>()).error).toMatch(/^image_base64 must be base64/);
    expect(await imagesInBucket(studio)).toEqual([]);
  });

  const cut = (kind: keyof typeof images, bytes: number) =>
    Buffer.from(images[kind], "base64").subarray(0, bytes).toString("base64");
  it.each([
    ["a PNG cut in half", cut("png", 40), "is cut off"],
    ["a JPEG without its end", cut("jpg", 139), "is cut off"],
    ["a GIF cut in half", cut("gif", 30), "is cut off"],
    ["a WebP shorter than its header says", cut("webp", 41), "is cut off"],
    ["a PNG without image data", cut("png", 33), "has no picture data"],
    [
      "a PNG with a wrong checksum",
      images.png.replace("mNk", "mNl"),
      "has a PNG chunk with a wrong checksum",
    ],
    ["a WebP with frames nested 20,000 deep", webpOfNestedFrames(20_000), "has no picture data"],
  ])("rejects %s in every write that accepts an image [V24]", async (_, image_base64, fault) => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const body = aDeliverable(studio, { image_base64 });
    const answers = [
      await post(studio, path, body),
      await post(studio, `${path}/${id}/versions`, { image_base64 }),
      await call(studio, "/api-create-deliverable", { body }),
    ];
    const expected = [400, { error: `image_base64 ${fault}` }];
    expect(await Promise.all(answers.map(refusal))).toEqual([expected, expected, expected]);
    expect(await imagesInBucket(studio)).toEqual([]);
  });

  it.each([
    ["a PNG", cut("png", 58)],
    ["a GIF", cut("gif", 41)],
  ])("accepts %s that lacks only its end marker [V24]", async (_, image_base64) => {
    const studio = await makeStudio();
    await makeDeliverable(studio, { embed_url: undefined, image_base64 });
    expect(await imagesInBucket(studio)).toHaveLength(1);
  });

  it("accepts an image of 10 MB after decoding, and returns 413 for one byte more [V3]", async () => {
    const studio = await makeStudio();
    const image = (bytes: number, prefix = "") =>
      aDeliverable(studio, { embed_url: undefined, image_base64: prefix + pngOfBytes(bytes) });
    for (const bytes of [limits.imageDecodedBytes + 1, limits.imageDecodedBytes + 2]) {
      expect(await refusal(await post(studio, path, image(bytes)))).toEqual([
        413,
        { error: "image_base64 must be at most 10 MB decoded", code: "payload_too_large" },
      ]);
    }
    expect(await imagesInBucket(studio)).toEqual([]);
    const answer = await post(studio, path, image(limits.imageDecodedBytes, "data:image/png;base64,"));
    expect(answer.status).toBe(201);
    const [key] = await imagesInBucket(studio);
    expect((await env.IMAGES.head(key ?? ""))?.size).toBe(limits.imageDecodedBytes);
  });

  it("returns 413 for a body larger than any image", async () => {
    const studio = await makeStudio();
    const answer = await post(studio, path, aDeliverable(studio, { image_base64: "A".repeat(16_000_000) }));
    expect(await refusal(answer)).toEqual([413, expect.objectContaining({ code: "payload_too_large" })]);
  });
});

describe("GET /api-v1/deliverables", () => {
  it("finds a deliverable with updated_since after a new version", async () => {
    const studio = await makeStudio();
    const [old, revised] = [await makeDeliverable(studio), await makeDeliverable(studio)];
    await scheduler.wait(5);
    const since = new Date().toISOString();
    await scheduler.wait(5);
    await post(studio, `${path}/${revised}/versions`, { title: "Second" });
    const listed = await (await call(studio, `${path}?updated_since=${since}`)).json<{
      data: { id: string }[];
    }>();
    expect(listed.data.map(({ id }) => id)).toEqual([revised]);
    expect(old).not.toBe(revised);
  });
});
