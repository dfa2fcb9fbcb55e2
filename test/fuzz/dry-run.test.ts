import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { WriteRoute } from "../../src/http/route.ts";
import { comparable, outcomeOf, predicted } from "../support/dry-run-outcome.ts";
import { images } from "../support/images.ts";
import { call, post } from "../support/partner.ts";
import { keyedRoutes, pathTo } from "../support/requests.ts";
import { countSideEffects, snapshotOf } from "../support/snapshot.ts";
import { register } from "../support/webhooks.ts";
import { insertToken, type Workspace } from "../support/workspace.ts";
import { headerText, makeUnlimitedWorkspace, mutated, withRecords } from "./generated.ts";

/** `npm run test:fuzz` uses 10,000 writes in total. */
const writesPerRoute = Math.ceil(Number(env.DRY_RUN_WRITES) / keyedRoutes.length);
/** Comparing a large workspace is slow. */
const writesPerWorkspace = 60;

/** Records in every state that a write's rules depend on. */
interface Pools {
  /** Records that belong to the same client. */
  fitting: { client_id: string; project_id: string; deliverable_id: string }[];
  client_id: string[];
  project_id: string[];
  deliverable_id: string[];
  time_entry_id: string[];
}

const unknown = crypto.randomUUID();

async function makePools(workspace: Workspace): Promise<Pools> {
  const made = async (path: string, body: object) =>
    (await (await post(workspace, path, body)).json<{ id: string }>()).id;
  const sql = (text: string, ...values: string[]) =>
    env.DB.prepare(text)
      .bind(...values)
      .run();
  const client = await made("/api-v1/clients", { client_name: "Ada", email: "ada@example.com" });
  const silent = await made("/api-v1/clients", { client_name: "Ben" });
  const sample = await made("/api-v1/clients", { client_name: "Cyd", email: "cyd@example.com" });
  await sql("UPDATE clients SET is_sample = 1 WHERE id = ?", sample);
  const project = await made("/api-v1/projects", { client_id: client, name: "Relaunch" });
  const tight = await made("/api-v1/projects", {
    client_id: client,
    name: "Tight",
    included_revision_rounds: 2,
  });
  const ofSilent = await made("/api-v1/projects", { client_id: silent, name: "Other" });
  const deliverable = (client_id: string, fields: object = {}) =>
    made("/api-v1/deliverables", {
      client_id,
      title: "Logo",
      embed_url: "https://example.com/logo",
      ...fields,
    });
  const signedOff = await deliverable(client);
  await sql(
    `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
      VALUES (?, ?, ?, 1, 'Ada')`,
    crypto.randomUUID(),
    workspace.organizationId,
    signedOff,
  );
  const entry = () =>
    made("/api-v1/time-entries", { project_id: project, hours: 1, spent_date: "2026-01-31" });
  const ofClient = { client_id: client, project_id: project, deliverable_id: await deliverable(client) };
  await register(workspace);
  return {
    fitting: [ofClient, { ...ofClient, project_id: tight }],
    client_id: [client, client, silent, sample, unknown],
    project_id: [project, project, tight, ofSilent, unknown],
    deliverable_id: [
      await deliverable(client),
      await deliverable(client, { project_id: tight }),
      await deliverable(client, { image_base64: images.png }),
      await deliverable(silent),
      await deliverable(sample),
      signedOff,
      unknown,
    ],
    time_entry_id: [await entry(), await entry(), unknown],
  };
}

const among = (values: readonly string[]) => fc.constantFrom(...values);

/** A valid or nearly valid body, with records that trigger the rules. */
function bodyOn(route: WriteRoute, pools: Pools): fc.Arbitrary<unknown> {
  const fitting = fc.constantFrom(...pools.fitting);
  const any = fc.record({
    client_id: among(pools.client_id),
    project_id: among(pools.project_id),
    deliverable_id: among(pools.deliverable_id),
  });
  const records = fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: any });
  const image = fc.constantFrom(images.png, images.gif, images.webp, `data:image/png;base64,${images.png}`);
  const more: Record<string, fc.Arbitrary<unknown>> = {
    image_base64: image,
    external_id: fc.constantFrom("crm-1", "crm-2"),
    currency: fc.constantFrom("JPY", "KWD", "EUR", "XXX"),
    note: fc.string({ unit: "grapheme", maxLength: 40 }),
    message: fc.string({ unit: "grapheme", maxLength: 40 }),
  };
  const known = Object.keys((route.body as { shape?: object }).shape ?? {});
  const extra = fc.record(
    Object.fromEntries(Object.entries(more).filter(([field]) => known.includes(field))),
    { requiredKeys: [] },
  );
  const right = fc
    .tuple(records, extra, fc.subarray(["project_id", "deliverable_id"]))
    .map(([ids, fields, left]) => {
      const body = withRecords({ ...(route.examples.body as object) }, ids);
      for (const field of left) delete body[field];
      return { ...body, ...fields };
    });
  const nearly = right.chain((body) => mutated(body));
  const billed = fc.tuple(right, among(pools.time_entry_id)).map(([body, time_entry_id]) => ({
    ...body,
    ...("line_items" in body && {
      line_items: [{ description: "Design", quantity: 1, unit_price: 95, time_entry_id }],
    }),
  }));
  return fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 3, arbitrary: nearly },
    { weight: 1, arbitrary: billed },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

it.each(keyedRoutes)(
  "a dry run of $name predicts the response to the same write",
  async ({ route }) => {
    const left = countSideEffects();
    const statuses = new Map<string, number>();
    for (let written = 0; written < writesPerRoute; written += writesPerWorkspace) {
      const workspace = await makeUnlimitedWorkspace();
      const pools = await makePools(workspace);
      const reader = await insertToken(workspace, ["client:read"]);
      const usedKeys = ["used"];
      const attempt = fc.record({
        path: among(pools.deliverable_id).map((id) => pathTo(route, id)),
        body: bodyOn(route as WriteRoute, pools),
        key: fc.oneof(
          { weight: 12, arbitrary: fc.uuid() },
          { weight: 2, arbitrary: fc.nat().map((pick) => usedKeys[pick % usedKeys.length] as string) },
          { weight: 1, arbitrary: headerText.filter((text) => text !== "") },
        ),
        token: fc.oneof(
          { weight: 20, arbitrary: fc.constant(workspace.token) },
          { weight: 1, arbitrary: fc.constantFrom(reader, `svc_${"0".repeat(36)}`) },
        ),
      });
      const property = fc.asyncProperty(attempt, async ({ path, ...request }) => {
        const before = await snapshotOf(workspace);
        const leftBefore = left();
        const rehearsal = await outcomeOf(await call(workspace, `${path}?dry_run=true`, request));
        expect(await snapshotOf(workspace)).toBe(before);
        expect(left()).toBe(leftBefore);
        const real = await outcomeOf(await call(workspace, path, request));
        expect(comparable(predicted(rehearsal))).toEqual(comparable(real));
        usedKeys.push(request.key);
        const seen = `${real.status} ${real.body.code ?? ""}`.trim();
        statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
      });
      const numRuns = Math.min(writesPerWorkspace, writesPerRoute - written);
      await fc.assert(property, { numRuns, endOnFailure: true });
    }
    console.log(JSON.stringify({ route: route.path, ...Object.fromEntries([...statuses].sort()) }));
  },
  3_600_000,
);
