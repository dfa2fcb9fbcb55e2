import { limits } from "../../src/contract/limits.ts";
import type { Bench, Scenario } from "../bench.ts";
import { fill, momentOf, scatteredId } from "../bulk.ts";
import { atMost, type Line, type Promised } from "../report.ts";
import { bindings, seededTimeEntries, workspace } from "../seed.ts";

/** Rows read for a page of every selective filter, with a million rows in one organization. */

const size = 1_000_000;
const limit = 50;
/** One in this many rows matches the filter. */
const every = 1_000;
/** Every page reads this many rows. Projects and invoices also look up each record's children. */
const pageAllowance = limit + 6;
const childAllowance = limit + 1;
/** A range filter scans this many index entries, and skips as many to find the end of the page. */
const boundAllowance = 2 * limits.scannedEntries + limit;

const other = {
  client_id: "00000000-0000-4000-8000-00000000000a",
  project_id: "00000000-0000-4000-8000-00000000000b",
  user_id: "00000000-0000-4000-8000-00000000000c",
  external_id: "crm-4711",
  email: "mara@northwind.example",
  number: "INV-500000",
  is_sample: "true",
  from: "2026-06-01",
} as const;

const { organizationId, clientId, projectId, ownerId } = workspace;
const pick = (named: string, usual: string) => `iif(i % ${every}, '${usual}', '${named}')`;
const client = pick(other.client_id, clientId);
const project = pick(other.project_id, projectId);
const rare = (value: string) => `iif(i % ${every}, 'other-' || i, '${value}')`;
const isSample = `iif(i % ${every}, 0, 1)`;
const at = momentOf(1_600_000_000);
const stamps = { created_at: at, updated_at: at };
const common = { id: scatteredId, organization_id: `'${organizationId}'`, ...stamps };

/** The filters of each list, and its columns in SQL. */
const lists: {
  path: string;
  table: string;
  filters: (keyof typeof other)[];
  columns: Record<string, string>;
}[] = [
  {
    path: "clients",
    table: "clients",
    filters: ["external_id", "email", "is_sample"],
    columns: {
      ...common,
      client_name: "'Client ' || i",
      external_id: rare(other.external_id),
      email: rare(other.email),
      is_sample: isSample,
    },
  },
  {
    path: "projects",
    table: "projects",
    filters: ["client_id", "external_id"],
    columns: {
      ...common,
      client_id: client,
      name: "'Project'",
      currency: "'USD'",
      external_id: rare(other.external_id),
    },
  },
  {
    path: "time-entries",
    table: "time_entries",
    filters: ["client_id", "project_id", "user_id", "from"],
    columns: {
      ...common,
      client_id: client,
      project_id: project,
      user_id: pick(other.user_id, ownerId),
      spent_date: pick(other.from, "2026-01-31"),
      hours: "1.5",
      currency: "'USD'",
      client_ref: "'timer-' || i",
    },
  },
  {
    path: "invoices",
    table: "invoices",
    filters: ["client_id", "project_id", "external_id", "number"],
    columns: {
      ...common,
      client_id: client,
      project_id: project,
      currency: "'USD'",
      status: "'open'",
      number: "'INV-' || i",
      issue_date: "'2026-01-31'",
      external_id: rare(other.external_id),
      subtotal_minor: "i",
      tax_total_minor: "0",
      total_minor: "i",
      created_by: `'${ownerId}'`,
    },
  },
  {
    path: "deliverables",
    table: "deliverables",
    filters: ["client_id", "project_id", "is_sample"],
    columns: {
      ...common,
      client_id: client,
      project_id: project,
      is_sample: isSample,
      title: "'Logo'",
      embed_url: "'https://example.com/'",
      share_url: "'https://app.example.com/review/' || i",
      created_by: `'${ownerId}'`,
    },
  },
];

export const filters: Scenario = async (bench) => {
  const lines: Line[] = [];
  const promises: Promised[] = [];
  await makeOthers(bench);
  for (const { path, table, filters, columns } of lists) {
    bench.progress(`filters: ${size} ${table}`);
    const { results } = await bench.database.run(`SELECT count(*) AS rows FROM ${table}`);
    const seeded = Math.max(seededTimeEntries, Number(results[0]?.rows ?? 0));
    const insert = `INSERT INTO ${table} (${Object.keys(columns)}) SELECT ${Object.values(columns)} FROM n`;
    await fill(bench.database, { table, insert, from: seeded + 1, to: seeded + size });
    for (const filter of filters) {
      const line = await readPages(bench, path, filter);
      lines.push(line);
      const children = /^(projects|invoices)$/.test(path) ? childAllowance : 0;
      const promise = `${line.scenario}, ${line.contender}: rows read by a page of ${limit}`;
      const bound = filter === "from" ? boundAllowance : 0;
      promises.push(atMost(promise, line.rowsRead ?? 0, pageAllowance + children + bound));
    }
  }
  return { lines, promises };
};

async function makeOthers({ database }: Bench): Promise<void> {
  const { client_id, project_id, user_id } = other;
  await database.run(
    "INSERT INTO clients (id, organization_id, company_name) VALUES (?, ?, 'Other')",
    client_id,
    organizationId,
  );
  await database.run(
    "INSERT INTO projects (id, organization_id, client_id, name, currency) VALUES (?, ?, ?, 'Other', 'USD')",
    project_id,
    organizationId,
    client_id,
  );
  await database.run(
    "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'other@example.com', 'member')",
    user_id,
    organizationId,
  );
}

/** The most expensive of the first three pages. */
async function readPages(
  { server, database }: Bench,
  path: string,
  filter: keyof typeof other,
): Promise<Line> {
  const read: number[] = [];
  let [cursor, records] = ["", 0];
  for (let page = 0; page < 3; page += 1) {
    const query = new URLSearchParams({
      [filter]: other[filter],
      limit: String(limit),
      ...(cursor && { cursor }),
    });
    const used = await database.used(async () => {
      const answer = await fetch(`${server.addressOf("app")}/api-v1/${path}?${query}`, {
        headers: { authorization: `Bearer ${workspace.token}`, apikey: bindings.gatewayPublicKey },
      });
      if (!answer.ok) throw new Error(`${path}?${query}: ${answer.status} ${await answer.text()}`);
      const body = (await answer.json()) as { data: object[]; next_cursor: string | null };
      records += body.data.length;
      cursor = body.next_cursor ?? "";
    });
    read.push(used.rows_read);
    if (cursor === "") break;
  }
  if (records === 0 && cursor === "") throw new Error(`${path}?${filter} finds nothing`);
  const scenario = `filters at ${size.toLocaleString("en")}`;
  return {
    scenario,
    contender: `${path}?${filter}`,
    trips: "1 D1",
    rowsRead: Math.max(...read),
    rowsWritten: 0,
  };
}
