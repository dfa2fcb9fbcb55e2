import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { makeWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

const path = "/api-v1/time-entries";
const byHours = { hours: 1.5, spent_date: "2026-01-31" };
const spanned = (started_at: string, ended_at: string) => ({ started_at, ended_at });

async function create(fields: Fields, currency = "USD"): Promise<Response> {
  const workspace = await makeWorkspace();
  const { project_id } = await makeRecords(workspace, { currency });
  return post(workspace, path, { project_id, ...fields });
}

const created = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(201);
  return answer.json<Fields>();
};

const refusal = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(400);
  return (await answer.json<{ error: string }>()).error;
};

describe("POST /api-v1/time-entries", () => {
  it("returns 201 with the entry, attributed to the token's creator, as the get and the list return it [C7]", async () => {
    const workspace = await makeWorkspace();
    const { client_id, project_id, time_entry_id } = await makeRecords(workspace, { currency: "EUR" });
    const body = { project_id, ...byHours, description: "Wireframes", billable: false, hourly_rate: 95.5 };
    const answer = await post(workspace, path, body, "timer-1");
    const entry = await answer.json<Fields>();
    expect([answer.status, entry]).toEqual([
      201,
      {
        id: expect.any(String),
        project_id,
        client_id,
        user_id: workspace.ownerId,
        description: "Wireframes",
        spent_date: "2026-01-31",
        hours: 1.5,
        started_at: null,
        ended_at: null,
        billable: false,
        hourly_rate: 95.5,
        currency: "EUR",
        invoice_id: null,
        client_ref: "timer-1",
        created_at: expect.any(String),
        updated_at: entry.created_at,
      },
    ]);
    expect(await (await call(workspace, `${path}/${entry.id}`)).json()).toEqual(entry);
    const { data } = await (await call(workspace, path)).json<{ data: Fields[] }>();
    expect(data.find(({ id }) => id !== time_entry_id)).toEqual(entry);
  });

  it("replays retries indefinitely, because the key is in client_ref [C11, I11]", async () => {
    const workspace = await makeWorkspace();
    const { project_id } = await makeRecords(workspace);
    const first = await (await post(workspace, path, { project_id, ...byHours }, "timer-1")).json<Fields>();
    const again = await post(workspace, path, { project_id, ...byHours }, "timer-1");
    expect([again.status, await again.json()]).toEqual([200, { ...first, idempotent_replay: true }]);
    const rows = await env.DB.prepare(
      "SELECT count(*) AS count FROM time_entries WHERE client_ref = 'timer-1' AND organization_id = ?",
    )
      .bind(workspace.organizationId)
      .first("count");
    expect(rows).toBe(1);
  });

  it("accepts hours with spent_date [C9]", async () => {
    for (const hours of [0.01, 0.1, 0.29, 1.15, 7.77, 23.99, 24]) {
      expect((await created({ ...byHours, hours })).hours).toBe(hours);
    }
    expect(await refusal({ hours: 1 })).toBe("spent_date is required with hours");
    for (const hours of [0, 0.009, -1, 24.01, 100])
      expect(await refusal({ ...byHours, hours })).toMatch(/^hours must be at /);
    expect(await refusal({ ...byHours, hours: 1.005 })).toBe("hours must have at most two decimal places");
    expect(await refusal({ ...byHours, hours: "1.5" })).toBe("hours must be a number");
    expect(await refusal({ ...byHours, spent_date: "2026-02-30" })).toMatch(
      /^spent_date must be a calendar day/,
    );
  });

  it("accepts started_at with ended_at, and rounds the hours to two decimals [C10]", async () => {
    for (const [ended_at, hours] of [
      ["2026-01-31T10:30:00Z", 1.5],
      ["2026-01-31T09:20:00Z", 0.33],
      ["2026-01-31T09:40:00Z", 0.67],
      ["2026-01-31T09:00:18Z", 0.01],
      ["2026-01-31T09:34:30Z", 0.58],
      ["2026-01-31T10:00:18Z", 1.01],
      ["2026-01-31T09:00:17.999Z", 0.01],
      ["2026-01-31T09:00:00.001Z", 0.01],
      ["2026-02-01T09:00:00Z", 24],
    ] as const) {
      const entry = await created(spanned("2026-01-31T09:00:00Z", ended_at));
      expect([ended_at, entry.hours, entry.spent_date]).toEqual([ended_at, hours, "2026-01-31"]);
    }
  });

  it("returns times in UTC and defaults spent_date to the local day of started_at", async () => {
    const entry = await created(spanned("2026-02-01T00:30:00+02:00", "2026-02-01T01:00:00.5+02:00"));
    expect(entry).toMatchObject({
      started_at: "2026-01-31T22:30:00.000Z",
      ended_at: "2026-01-31T23:00:00.500Z",
      spent_date: "2026-02-01",
      hours: 0.5,
    });
    const own = {
      ...spanned("2026-02-01T00:30:00+02:00", "2026-02-01T01:00:00+02:00"),
      spent_date: "2026-01-30",
    };
    expect((await created(own)).spent_date).toBe("2026-01-30");
    const late = spanned("2026-01-31T23:30:00-05:00", "2026-02-01T00:00:00-05:00");
    expect((await created(late)).spent_date).toBe("2026-01-31");
    const midnight = spanned("2026-01-31T24:00:00+02:00", "2026-02-01T01:00:00+02:00");
    expect((await created(midnight)).spent_date).toBe("2026-02-01");
  });

  it("rejects a time span that is not positive or exceeds 24 hours [C10]", async () => {
    const start = "2026-01-31T09:00:00Z";
    expect(await refusal(spanned(start, start))).toBe("ended_at must be after started_at");
    expect(await refusal(spanned(start, "2026-01-31T10:00:00+02:00"))).toBe(
      "ended_at must be after started_at",
    );
    expect(await refusal(spanned(start, "2026-02-01T09:00:00.001Z"))).toBe(
      "ended_at must be at most 24 hours after started_at",
    );
    expect(await refusal(spanned("yesterday", start))).toBe(
      "started_at must be an ISO 8601 timestamp with an offset",
    );
  });

  it("accepts either complete set of fields, but not both or a part of one [C8]", async () => {
    const start = "2026-01-31T09:00:00Z";
    expect(await refusal({})).toBe("hours is required (or started_at and ended_at)");
    expect(await refusal({ spent_date: "2026-01-31" })).toBe(
      "hours is required (or started_at and ended_at)",
    );
    expect(await refusal({ started_at: start })).toBe("ended_at is required with started_at");
    expect(await refusal({ ended_at: start })).toBe("started_at is required with ended_at");
    expect(await refusal({ ...byHours, started_at: start })).toBe(
      "hours cannot be combined with started_at and ended_at",
    );
  });

  it("limits hourly_rate to the currency's decimals and defaults billable to true", async () => {
    const entry = await created({ ...byHours, hourly_rate: 12.345 }, "KWD");
    expect([entry.hourly_rate, entry.billable, entry.description]).toEqual([12.345, true, null]);
    expect(await refusal({ ...byHours, hourly_rate: 12.345 })).toBe("hourly_rate has more digits than USD");
    expect(await refusal({ ...byHours, hourly_rate: 0.5 }, "JPY")).toBe(
      "hourly_rate has more digits than JPY",
    );
    expect(await refusal({ ...byHours, hourly_rate: 1e12 }, "CLF")).toBe("hourly_rate is too large for CLF");
    expect(await refusal({ ...byHours, hourly_rate: -1 })).toMatch(/^hourly_rate /);
    expect(await refusal({ ...byHours, billable: "yes" })).toBe("billable must be a boolean");
    expect(await refusal({ ...byHours, description: "x".repeat(2001) })).toBe(
      "description must have at most 2000 characters",
    );
  });

  it("requires one of the workspace's projects", async () => {
    const { project_id } = await makeRecords(await makeWorkspace());
    expect(await refusal({ ...byHours, project_id })).toBe("project_id not found in this workspace");
    expect(await refusal({ ...byHours, project_id: undefined })).toBe("project_id is required");
  });

  it("rejects a user, an invoice or a client_ref", async () => {
    for (const field of ["user_id", "invoice_id", "client_ref", "client_id", "currency"]) {
      expect(await refusal({ ...byHours, [field]: "x" })).toBe(`${field} is not a known field`);
    }
  });
});

describe("GET /api-v1/time-entries/{id}", () => {
  it("returns 404 not_found for an unknown or another organization's time entry, and 400 for an invalid id", async () => {
    const workspace = await makeWorkspace();
    const { time_entry_id } = await makeRecords(await makeWorkspace());
    for (const id of [crypto.randomUUID(), time_entry_id]) {
      const answer = await call(workspace, `${path}/${id}`);
      expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found", code: "not_found" }]);
    }
    for (const id of ["1", "null", "%00", "..%2f"]) {
      const answer = await call(workspace, `${path}/${id}`);
      expect([id, answer.status, await answer.json()]).toEqual([id, 400, { error: "id must be a UUID" }]);
    }
  });
});
