// Upload an image as a new version, and get the same bytes back.
// Pages: createDeliverableVersion.md, getDeliverableVersionImage.md
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readJson, request, writeJson } from "./connect.mjs";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { data: clients } = await readJson("/api-v1/clients?status=active&limit=1");
const work = await writeJson("/api-v1/deliverables", {
  title: "Icon",
  client_id: clients[0].id,
  embed_url: "https://www.example.com/icon",
});
const path = `/api-v1/deliverables/${work.id}/versions`;
const version = await writeJson(path, { image_base64: png.toString("base64"), note: "As an image" });
const hash = createHash("sha256").update(png).digest("hex");
assert.deepEqual([version.version_number, version.asset_sha256], [2, hash]);
const image = await request(`${path}/2/image`);
assert.deepEqual(Buffer.from(await image.arrayBuffer()), png);
assert.equal(image.headers.get("content-type"), "image/png");
const { data: versions } = await readJson(path);
assert.equal(versions[1].previous_hash, versions[0].hash);
console.log(`done: version ${version.version_number}`);
