import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeEach, describe, expect, it } from "vitest";
import { imageFolder } from "../../src/workspace/images/asset.ts";
import { admin } from "../support/admin.ts";
import { sql } from "../support/filled-workspace.ts";
import { ownerAtHome, signedIn } from "../support/settings.ts";

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

const exportsOf = async () =>
  sql(
    "SELECT actor FROM audit_log WHERE organization_id = ? AND action = 'organization.exported'",
    here.organizationId,
  );

describe("Export workspace", () => {
  it("gives an owner every record and image as a ZIP file, and leaves an entry [S22]", async () => {
    await sql(
      `INSERT INTO clients (id, organization_id, company_name)
       SELECT lower(hex(randomblob(16))), ?, 'Åland ' || value
       FROM json_each('[0' || replace(hex(zeroblob(149)), '00', ',0') || ']')`,
      here.organizationId,
    );
    const path = `${imageFolder(here.organizationId)}deliverables/x/0.png`;
    const image = new Uint8Array(1024 * 1024 + 3).fill(7);
    await env.IMAGES.put(path, image);
    const answer = await browser.post(`${base}/export`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="org-[\w-]+-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const lines = (name: string) =>
      new TextDecoder()
        .decode(files[name])
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(lines("clients.jsonl").map(({ id }) => id)).size).toBe(150);
    expect(lines("clients.jsonl")[0]?.company_name).toBe("Åland 0");
    expect(files[`images/${path}`]).toEqual(image);
    expect(lines("audit_log.jsonl").map(({ action }) => action)).toContain("organization.exported");
    expect(Object.keys(files)).not.toContain("request_log.jsonl");
    expect(await exportsOf()).toHaveLength(1);
  });

  it("is for owners: an admin is not offered it, and refused [S22]", async () => {
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role: "admin" });
    const kim = await signedIn(email);
    expect(await browser.read(`${base}/plan`)).toContain(`href="${base}/export"`);
    expect(await kim.read(`${base}/plan`)).not.toContain(`${base}/export`);
    for (const answer of [await kim.fetch(`${base}/export`), await kim.post(`${base}/export`)]) {
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("Only owners can export the workspace");
    }
    expect(await exportsOf()).toEqual([]);
  });

  it("is refused before it begins where one download would be too long [S22]", async () => {
    const images = (count: number) =>
      sql(
        `INSERT INTO stored_images (path, organization_id, bytes)
         SELECT ? || hex(randomblob(8)), ?, 1 FROM json_each('[0' || replace(hex(zeroblob(?)), '00', ',0') || ']')`,
        imageFolder(here.organizationId),
        here.organizationId,
        count - 1,
      );
    await images(350);
    expect((await browser.post(`${base}/export`)).status).toBe(200);
    await images(50);
    const refused = await browser.post(`${base}/export`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(
      "This workspace is too large for one download (ask support for the export)",
    );
    expect(await exportsOf()).toHaveLength(1);
  });
});
