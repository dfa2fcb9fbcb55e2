import { describe, expect, it } from "vitest";
import type { Client } from "../../src/work/clients/record.ts";
import type { Project } from "../../src/work/projects/record.ts";
import { admin, refusal } from "../support/admin.ts";
import { call, post } from "../support/partner.ts";
import { aDeliverable, makeDeliverable, makeStudio, readDeliverable } from "../support/review.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const list = async <T>(workspace: Workspace, path: string): Promise<T[]> =>
  (await (await call(workspace, path)).json<{ data: T[] }>()).data;

const stranger = () => crypto.randomUUID();

describe("create-client and update-client", () => {
  it("return the client as the API shows it", async () => {
    const workspace = await makeWorkspace();
    const made = await admin(workspace, "create-client", {
      company_name: "Acme",
      email: "a@acme.example",
      external_id: "crm-1",
      sample: "true",
    });
    expect(made).toMatchObject({ name: "Acme", is_sample: true, status: "active", external_id: "crm-1" });
    expect(await list(workspace, "/api-v1/clients")).toEqual([made]);
  });

  it("change any field, and clear it with an empty string", async () => {
    const workspace = await makeWorkspace();
    const made = await admin<Client>(workspace, "create-client", {
      company_name: "Acme",
      client_name: "Ann",
      email: "a@acme.example",
    });
    const changed = await admin<Client>(workspace, "update-client", {
      id: made.id,
      company_name: "",
      email: "",
      status: "archived",
      sample: "true",
    });
    expect(changed).toMatchObject({
      name: "Ann",
      company_name: null,
      email: null,
      status: "archived",
      is_sample: true,
    });
    expect(changed.updated_at >= made.updated_at).toBe(true);
    expect(await list(workspace, `/api-v1/clients?updated_since=${changed.updated_at}`)).toEqual([changed]);
  });

  it.each([
    ["a client without a name", "create-client", {}, "company_name or client_name is required"],
    [
      "an invalid e-mail address",
      "create-client",
      { client_name: "x", email: "nope" },
      "email must be an e-mail address",
    ],
    ["an unknown client", "update-client", { id: stranger(), email: "a@b.co" }, "There is no client"],
    ["an invalid id", "update-client", { id: "7", email: "a@b.co" }, "id must be a UUID"],
    [
      "no changes",
      "update-client",
      { id: stranger() },
      "Nothing to change: set at least one field besides id",
    ],
    [
      "no changes",
      "update-project",
      { id: stranger() },
      "Nothing to change: set at least one field besides id",
    ],
    ["another currency", "update-project", { currency: "EUR" }, "currency is not a known field"],
    ["another client", "update-project", { client_id: stranger() }, "client_id is not a known field"],
    ["an unknown status", "update-client", { id: stranger(), status: "gone" }, "status must be one of"],
  ])("reject %s", async (_, operation, fields, message) => {
    expect((await refusal(await makeWorkspace(), operation, fields)).message).toContain(message);
  });

  it("reject the removal of both names and a change of another workspace's client", async () => {
    const [mine, other] = [await makeWorkspace(), await makeWorkspace()];
    const { id } = await admin<Client>(mine, "create-client", { client_name: "Ann" });
    expect((await refusal(mine, "update-client", { id, client_name: "" })).message).toBe(
      "company_name or client_name is required",
    );
    expect((await refusal(other, "update-client", { id, client_name: "Eve" })).message).toContain(
      "There is no client",
    );
    expect(await list<Client>(mine, "/api-v1/clients")).toMatchObject([{ name: "Ann" }]);
  });
});

describe("update-project and milestones", () => {
  const milestones = [{ name: "Start", amount: 10 }, { name: "End" }];

  it("update-project changes and clears fields, and returns the project as the API shows it", async () => {
    const studio = await makeStudio({ project: { included_revision_rounds: 2, milestones } });
    const changed = await admin<Project>(studio, "update-project", {
      id: studio.projectId,
      status: "completed",
      name: "Renamed",
      included_revision_rounds: "",
      end_date: "2026-12-24",
    });
    expect(changed).toMatchObject({
      status: "completed",
      name: "Renamed",
      included_revision_rounds: null,
      end_date: "2026-12-24",
    });
    expect(changed.milestones).toHaveLength(2);
    expect(await list(studio, "/api-v1/projects")).toEqual([changed]);
    expect(
      (await refusal(studio, "update-project", { id: studio.projectId, start_date: "2026-12-25" })).message,
    ).toBe("end_date must not be before start_date");
    expect(
      (await refusal(studio, "update-project", { id: studio.projectId, status: "paused" })).message,
    ).toBe("status must be one of active, completed, archived");
    expect((await refusal(studio, "update-project", { id: stranger(), name: "x" })).message).toContain(
      "There is no project",
    );
  });

  it("set-milestone-status changes the milestone and its project's updated_at", async () => {
    const studio = await makeStudio({ project: { milestones } });
    const [project] = await list<Project>(studio, "/api-v1/projects");
    const moved = await admin<Project>(studio, "set-milestone-status", {
      id: project?.milestones[0]?.id,
      status: "completed",
    });
    expect(moved.milestones.map(({ status }) => status)).toEqual(["completed", "pending"]);
    expect(moved.updated_at > (project?.updated_at ?? "")).toBe(true);
    expect(
      (await refusal(studio, "set-milestone-status", { id: stranger(), status: "pending" })).message,
    ).toContain("There is no milestone");
  });

  it("record-revision-override allows exactly as many more versions as it adds rounds", async () => {
    const studio = await makeStudio({ project: { included_revision_rounds: 0 } });
    const id = await makeDeliverable(studio, { project_id: studio.projectId });
    const append = () => post(studio, `/api-v1/deliverables/${id}/versions`, { note: "again" });
    expect((await append()).status).toBe(422);
    const made = await admin(studio, "record-revision-override", {
      project: studio.projectId,
      rounds: "1",
      reason: "Goodwill",
    });
    expect(made).toMatchObject({ project_id: studio.projectId, rounds: 1, reason: "Goodwill" });
    expect((await append()).status).toBe(201);
    expect((await append()).status).toBe(422);
    expect(
      (
        await refusal(studio, "record-revision-override", {
          project: studio.projectId,
          rounds: "1.5",
          reason: "x",
        })
      ).message,
    ).toMatch(/^rounds must be /);
    expect(
      (await refusal(studio, "record-revision-override", { project: stranger(), rounds: "1", reason: "x" }))
        .message,
    ).toContain("There is no project");
  });
});

describe("clients' feedback and sign-offs", () => {
  it("record-feedback changes the review state for a change request but not for a comment", async () => {
    const studio = await makeStudio();
    const deliverable = await makeDeliverable(studio);
    const said = { deliverable, body: "Nice", author_name: "Nora" };
    expect(await admin(studio, "record-feedback", said)).toMatchObject({
      deliverable_id: deliverable,
      version_number: 1,
      kind: "comment",
      deliverable: { id: deliverable, review_state: "draft" },
    });
    await admin(studio, "record-feedback", { ...said, kind: "change_request" });
    expect((await readDeliverable(studio, deliverable)).review_state).toBe("changes_requested");
    expect(
      (await refusal(studio, "record-feedback", { ...said, deliverable: stranger() })).message,
    ).toContain("There is no deliverable");
    expect((await refusal(studio, "record-feedback", { ...said, kind: "shrug" })).message).toBe(
      "kind must be one of comment, change_request",
    );
  });

  it("sign-off-deliverable is final", async () => {
    const studio = await makeStudio();
    const deliverable = await makeDeliverable(studio);
    expect(await admin(studio, "sign-off-deliverable", { deliverable, signer_name: "Nora" })).toMatchObject({
      signer_name: "Nora",
      version_number: 1,
      deliverable: { review_state: "approved", current_state: "signed_off" },
    });
    const refused = { message: "This deliverable is signed off", hint: null };
    expect(await refusal(studio, "sign-off-deliverable", { deliverable, signer_name: "Nora" })).toEqual(
      refused,
    );
    expect(
      await refusal(studio, "record-feedback", { deliverable, body: "But", author_name: "Nora" }),
    ).toEqual(refused);
    const log = await admin<{ action: string }[]>(studio, "audit-log");
    expect(log.map(({ action }) => action).slice(0, 2)).toEqual([
      "deliverable.signed_off",
      "deliverable.created",
    ]);
  });
});

it("treat a sample client's deliverable as sample data", async () => {
  const studio = await makeStudio();
  await admin(studio, "update-client", { id: studio.clientId, sample: "true" });
  const answer = await post(studio, "/api-v1/deliverables", aDeliverable(studio));
  const { id } = await answer.json<{ id: string }>();
  expect((await post(studio, `/api-v1/deliverables/${id}/send`, {})).status).toBe(422);
});
