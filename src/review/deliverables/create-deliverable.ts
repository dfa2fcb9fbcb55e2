import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { invalid, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { assetFields, assetOf } from "../../core/images/asset.ts";
import { saveImage } from "../../core/images/save-image.ts";
import { countImage, isOverStorage, storageLeft } from "../../core/images/storage.ts";
import type { NewEntry, Recorded } from "../../core/ledger/ledger.ts";
import { build, inserting, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { mapped, type Query, runLast } from "../../db/query.ts";
import { newId } from "../../platform/new-id.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { wrongReference } from "../../work/wrong-reference.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { grantedBy } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { hashVersion, insertVersion } from "./insert-version.ts";
import { deliverableResource } from "./read-deliverables.ts";
import type { Deliverable, NewDeliverable } from "./record.ts";
import { deliverables as table } from "./tables.ts";

/** The records that a new deliverable refers to, if they exist in the workspace, and the plan's remaining limits. */
interface DeliverableReferences {
  /** Null if there is no such client. */
  clientIsSample: boolean | null;
  /** Null if there is no such project. */
  clientOfProject: string | null;
  capIsReached: boolean;
  /** Null if the plan is unlimited. */
  storageLeftBytes: number | null;
}

type Referring = Pick<NewDeliverable, "client_id" | "image_base64"> & { project_id?: string };

type ReferenceValues = { tokenHash: string; clientId: string; projectId: string | null };

const findReferences = prepared((bind: Placeholders<ReferenceValues>) => {
  const ofToken = (organizationId: SQLiteColumn) => eq(organizationId, apiTokens.organization_id);
  return rowOf(
    build
      .select({
        clientIsSample: nullable(clients.is_sample, "clientIsSample"),
        clientOfProject: nullable(projects.client_id, "clientOfProject"),
        capIsReached: sql<number | null>`${organizations.deliverable_count} >= ${plans.deliverable_cap}`.as(
          "capIsReached",
        ),
        storageLeftBytes: storageLeft.as("storageLeftBytes"),
      })
      .from(apiTokens)
      .innerJoin(organizations, eq(organizations.id, apiTokens.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(clients, and(eq(clients.id, bind.clientId), ofToken(clients.organization_id)))
      .leftJoin(projects, and(eq(projects.id, bind.projectId), ofToken(projects.organization_id)))
      .where(grantedBy(bind.tokenHash, "deliverable:write")),
  );
});

export const deliverableReferences = (
  tokenHash: string,
  { client_id, project_id }: Referring,
): Query<DeliverableReferences> =>
  mapped(findReferences({ tokenHash, clientId: client_id, projectId: project_id ?? null }), (found) => ({
    clientIsSample: found?.clientIsSample ?? null,
    clientOfProject: found?.clientOfProject ?? null,
    capIsReached: found?.capIsReached === 1,
    storageLeftBytes: found?.storageLeftBytes ?? null,
  }));

/** Checks a new deliverable before its image is stored. The database checks again when it writes the row. */
export function refuseDeliverable(
  { client_id, project_id, image_base64 }: Referring,
  known: DeliverableReferences,
): Refusal | undefined {
  if (known.clientIsSample === null) return invalid("client_id not found in this workspace");
  const wrongProject = wrongReference("project_id", project_id, known.clientOfProject, client_id);
  if (wrongProject) return wrongProject;
  if (known.capIsReached) return refuse("plan_deliverable_cap");
  return isOverStorage(image_base64, known.storageLeftBytes) ? refuse("plan_storage_cap") : undefined;
}

const insertRow = inserting(table);

export interface NewRow
  extends Pick<typeof table.$inferInsert, "title" | "client_id" | "share_url" | "is_sample"> {
  project_id?: string;
  embed_url?: string;
  asset_path?: string;
}

/** Queries that insert a deliverable and its first version. */
export const insertDeliverable = (
  { organization, actor }: Context<TokenActor, never>,
  id: string,
  made: NewRow,
): readonly [Query<unknown>, Query<unknown>] => [
  insertRow({ ...made, id, organization_id: organization.id, created_by: actor.id }),
  insertVersion(
    hashVersion({
      id: newId(),
      deliverable_id: id,
      version_number: 1,
      title: made.title,
      embed_url: made.embed_url ?? null,
      ...assetFields(made.asset_path ?? null),
      note: null,
      previous_hash: null,
      created_by: actor.id,
      created_at: new Date().toISOString(),
    }),
    organization.id,
  ),
];

/** Creates a deliverable with its first version, which records the image. */
export async function createDeliverable(
  context: Context<TokenActor, "db" | "images">,
  id: string,
  { image_base64: image, ...fields }: NewDeliverable,
  shown: Pick<NewRow, "share_url" | "is_sample">,
  entry: NewEntry,
): Promise<Recorded<Deliverable> | Refusal> {
  const { services, organization } = context;
  const asset = image && assetOf(entry, image);
  const commit = () => {
    const row = { ...fields, ...shown, asset_path: asset?.path };
    const counted = asset ? [countImage(organization.id, asset)] : [];
    return runLast(services.db, [
      ...insertDeliverable(context, id, row),
      ...counted,
      deliverableResource.record(entry),
    ]);
  };
  return asset ? saveImage(services, asset, entry, commit) : commit();
}
