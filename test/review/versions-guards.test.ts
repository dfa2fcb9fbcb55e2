import { describe, expect, it } from "vitest";
import { makeFilledWorkspace, rowById, sql, update } from "../support/filled-workspace.ts";

describe("versions", () => {
  it("reject UPDATE, DELETE and replacement [V14]", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const [version] = await sql("SELECT * FROM deliverable_versions WHERE deliverable_id = ?", id);
    const versionId = String(version?.id);
    await expect(update("deliverable_versions", versionId, { title: "x" })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM deliverable_versions WHERE id = ?", versionId)).rejects.toThrow(
      "immutable",
    );
    for (const [keys, values] of [
      ["id", "id"],
      ["rowid, id", "rowid, 'another'"],
    ])
      await expect(
        sql(
          `INSERT OR REPLACE INTO deliverable_versions
              (${keys}, organization_id, deliverable_id, version_number, title, previous_hash, hash, created_by)
            SELECT ${values}, organization_id, deliverable_id, 2, title, hash, 'hash 2', created_by
              FROM deliverable_versions WHERE id = ?`,
          versionId,
        ),
        keys,
      ).rejects.toThrow("row_exists");
    expect(await rowById("deliverable_versions", versionId)).toEqual(version);
  });

  it("form a hash chain without gaps", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await expect(here.version(id, 3)).rejects.toThrow("version_conflict");
    await expect(here.version(id, 1)).rejects.toThrow("version_conflict");
    await expect(here.version(id, 2, { previous_hash: null })).rejects.toThrow("version_conflict");
    await expect(here.version(id, 2, { previous_hash: "another hash" })).rejects.toThrow("version_conflict");
    await here.version(id, 2);
    await expect(here.version(id, 3, { previous_hash: "hash 1" })).rejects.toThrow("version_conflict");
    await here.version(id, 3);
  });

  it("start at number 1, without a previous hash", async () => {
    const { own, version, ...here } = await makeFilledWorkspace();
    const id = await own("deliverables", {
      client_id: here.clientId,
      title: "t",
      share_url: crypto.randomUUID(),
      created_by: here.ownerId,
    });
    await expect(version(id, 2)).rejects.toThrow("version_conflict");
    await expect(version(id, 1, { previous_hash: "x" })).rejects.toThrow("version_conflict");
    await version(id, 1);
  });

  it("update the deliverable, except for the first version", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({
      asset_path: "images/1",
      embed_url: "https://example.com/placeholder",
    });
    expect(await rowById("deliverables", id)).toMatchObject({
      asset_path: "images/1",
      embed_url: "https://example.com/placeholder",
    });
    await here.version(id, 2, { embed_url: "https://example.com/2", asset_path: "images/2" });
    expect(await rowById("deliverables", id)).toMatchObject({
      version_number: 2,
      title: "Homepage 2",
      embed_url: "https://example.com/2",
      asset_path: "images/2",
    });
  });
});

describe("a project's revision allowance", () => {
  it("allows the included and added rounds across all deliverables", async () => {
    const here = await makeFilledWorkspace();
    const project_id = await here.project({ included_revision_rounds: 1 });
    const [one, other] = [await here.deliverable({ project_id }), await here.deliverable({ project_id })];
    await here.version(one, 2);
    await expect(here.version(one, 3)).rejects.toThrow("revision_over_budget");
    await expect(here.version(other, 2)).rejects.toThrow("revision_over_budget");
    await here.own("revision_overrides", {
      project_id,
      rounds: 1,
      reason: "Agreed by phone",
      created_by: here.ownerId,
    });
    await here.version(other, 2);
    await expect(here.version(one, 3)).rejects.toThrow("revision_over_budget");
    expect(await rowById("projects", project_id)).toMatchObject({
      revision_rounds_used: 2,
      overridden_revision_rounds: 1,
    });
  });

  it("does not allow a revision if it is zero", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({ project_id: await here.project({ included_revision_rounds: 0 }) });
    await expect(here.version(id, 2)).rejects.toThrow("revision_over_budget");
  });

  it("counts rounds but does not limit them if it is not set", async () => {
    const here = await makeFilledWorkspace();
    const [attached, free] = [await here.deliverable(), await here.deliverable({ project_id: null })];
    for (const id of [attached, free]) for (const number of [2, 3]) await here.version(id, number);
    expect((await rowById("projects", here.projectId)).revision_rounds_used).toBe(2);
  });

  it("has immutable overrides", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.own("revision_overrides", {
      project_id: here.projectId,
      rounds: 1,
      reason: "r",
      created_by: here.ownerId,
    });
    await expect(update("revision_overrides", id, { rounds: 2 })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM revision_overrides WHERE id = ?", id)).rejects.toThrow("immutable");
  });
});
