import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionLimits } from "../../src/contract/session-limits.ts";
import { imageFolder } from "../../src/core/images/asset.ts";
import { admin } from "../support/admin.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { sql } from "../support/filled-workspace.ts";
import { alertOf } from "../support/reviewer.ts";
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
  it("returns every record and image as a ZIP file with a README [S22]", async () => {
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
    const readme = new TextDecoder().decode(files["README.txt"]);
    const described = [...readme.matchAll(/^ {2}(\S+) {2,}\w/gm)].map(([, name]) => name);
    const [, ...records] = Object.keys(files).map((name) => name.replace(/^(images\/).*/, "$1"));
    expect(described.sort()).toEqual([...new Set(records)].sort());
    expect(await exportsOf()).toHaveLength(1);
  });

  it("is available only to owners [S22]", async () => {
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

  describe("an export while another export of the workspace is running [N17]", () => {
    const readAll = async (answer: Response) => (await answer.arrayBuffer()).byteLength;
    const statuses = async () => [
      (await browser.post(`${base}/export`)).status,
      (await browser.fetch(`${base}/audit-log/export`)).status,
    ];
    afterEach(startClock);

    it("returns 409 for an export of the workspace and of the activity", async () => {
      const first = await browser.post(`${base}/export`);
      expect(await statuses()).toEqual([409, 409]);
      expect(alertOf(await (await browser.post(`${base}/export`)).text())).toContain(
        "An export of this workspace is already running",
      );
      const other = await ownerAtHome();
      expect((await other.browser.fetch(`${other.base}/audit-log/export`)).status).toBe(200);
      expect(await readAll(first)).toBeGreaterThan(0);
      expect((await browser.fetch(`${base}/audit-log/export`)).status).toBe(200);
      expect(await exportsOf()).toHaveLength(1);
    });

    it("succeeds once the other download is canceled", async () => {
      await (await browser.post(`${base}/export`)).body?.cancel();
      await expect.poll(async () => (await browser.fetch(`${base}/audit-log/export`)).status).toBe(200);
    });

    it("waits at most 10 minutes if the other export has crashed", async () => {
      stopClock();
      expect(await coordinatorStub(here).beginExport("one that dies")).toBe(true);
      await evictDurableObject(coordinatorStub(here));
      advanceClock(599);
      expect(await statuses()).toEqual([409, 409]);
      advanceClock(1);
      expect((await browser.fetch(`${base}/audit-log/export`)).status).toBe(200);
    });

    it("ends a slow export after 10 minutes", async () => {
      stopClock();
      const slow = await browser.post(`${base}/export`);
      advanceClock(600);
      await expect(readAll(slow)).rejects.toThrow();
      expect((await browser.fetch(`${base}/audit-log/export`)).status).toBe(200);
    });

    it("counts toward the session limit, and leaves part of the limit for people", async () => {
      stopClock();
      const coordinator = coordinatorStub(here);
      expect(await readAll(await browser.post(`${base}/export`))).toBeGreaterThan(0);
      const { callsPerMinute, callsLeftByExports } = sessionLimits;
      const left = async (spared: number) => {
        for (let places = 0; ; places += 1)
          if ((await coordinator.countSessionCall(1, spared)).outcome === "limited") return places;
      };
      expect(await left(callsLeftByExports)).toBeLessThanOrEqual(
        callsPerMinute - callsLeftByExports - 1 - 30,
      );
      expect(await left(0)).toBe(callsLeftByExports);
    });
  });

  it("is rejected at the start if the download would take too long [S22]", async () => {
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
      "This workspace is too large for a single download (ask support for the export)",
    );
    expect(await exportsOf()).toHaveLength(1);
  });
});
