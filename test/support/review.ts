import { env } from "cloudflare:workers";
import type { Deliverable } from "../../src/review/deliverables/record.ts";
import type { Version } from "../../src/review/deliverables/version.ts";
import { call, post } from "./partner.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

/** A workspace with a client for reviews and one of that client's projects. */
export interface Studio extends Workspace {
  clientId: string;
  projectId: string;
}

const madeId = async (answer: Response): Promise<string> => {
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json<{ id: string }>()).id;
};

export const makeClient = async (workspace: Workspace, fields: object = {}): Promise<string> =>
  madeId(
    await post(workspace, "/api-v1/clients", {
      client_name: "Nora Wind",
      email: "nora@northwind.example",
      ...fields,
    }),
  );

export const makeProject = async (
  workspace: Workspace,
  clientId: string,
  fields: object = {},
): Promise<string> =>
  madeId(await post(workspace, "/api-v1/projects", { client_id: clientId, name: "Relaunch", ...fields }));

export async function makeStudio(
  options: Parameters<typeof makeWorkspace>[0] & { project?: object } = {},
): Promise<Studio> {
  const { project, ...rest } = options;
  const workspace = await makeWorkspace(rest);
  const clientId = await makeClient(workspace);
  return { ...workspace, clientId, projectId: await makeProject(workspace, clientId, project) };
}

export const aDeliverable = ({ clientId }: Studio, fields: object = {}) => ({
  title: "Homepage concept",
  client_id: clientId,
  embed_url: "https://www.example.com/concept",
  ...fields,
});

export const makeDeliverable = async (studio: Studio, fields: object = {}): Promise<string> =>
  madeId(await post(studio, "/api-v1/deliverables", aDeliverable(studio, fields)));

export const readDeliverable = async (workspace: Workspace, id: string): Promise<Deliverable> =>
  (await call(workspace, `/api-v1/deliverables/${id}`)).json();

/** A deliverable's versions as the API returns them, oldest first. */
export async function versionsOf(deliverableId: string): Promise<Version[]> {
  const { results } = await env.DB.prepare(
    "SELECT * FROM deliverable_versions WHERE deliverable_id = ? ORDER BY version_number",
  )
    .bind(deliverableId)
    .all();
  return results.map(({ organization_id: _, ...version }) => version as Version);
}

export async function countRows(table: string, { organizationId }: Workspace): Promise<number> {
  const sql = `SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`;
  return (await env.DB.prepare(sql).bind(organizationId).first<number>("n")) ?? 0;
}

export const imagesInBucket = async ({ organizationId }: Workspace): Promise<string[]> =>
  (await env.IMAGES.list({ prefix: `organizations/${organizationId}/` })).objects.map(({ key }) => key);

export const signOff = async ({ organizationId }: Workspace, deliverableId: string): Promise<void> => {
  await env.DB.prepare(
    `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
      SELECT ?, ?, id, version_number, 'Nora' FROM deliverables WHERE id = ?`,
  )
    .bind(crypto.randomUUID(), organizationId, deliverableId)
    .run();
};
