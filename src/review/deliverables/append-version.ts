import { and, eq, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { Refusal, raisedName, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { type AssetFields, assetFields, assetOf } from "../../core/images/asset.ts";
import { saveImage } from "../../core/images/save-image.ts";
import { countImage, storageLeft } from "../../core/images/storage.ts";
import { type NewEntry, type Recorded, recordKnownAnswer } from "../../core/ledger/ledger.ts";
import { build, named, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { mapped, type Query, run, runLast } from "../../db/query.ts";
import { projects } from "../../work/projects/tables.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { hashVersion, insertVersion } from "./insert-version.ts";
import { deliverables, deliverableVersions as versions } from "./tables.ts";
import type { NewVersion, Version } from "./version.ts";

/** A deliverable's newest version, the basis for the next one, and reasons to refuse the next one. */
interface WorkingCopy {
  deliverableId: string;
  versionNumber: number;
  title: string;
  embedUrl: string | null;
  assetPath: string | null;
  note: string | null;
  hash: string;
  isSignedOff: boolean;
  isOverBudget: boolean;
  /** The plan's remaining image storage; null if it is unlimited. */
  storageLeftBytes: number | null;
}

const isOverBudget = sql<
  number | null
>`${projects.revision_rounds_used} >= ${projects.included_revision_rounds} + ${projects.overridden_revision_rounds}`;

/**
 * Reads the note and hash from the newest version and all other fields from the deliverable, because after a legacy
 * create only the deliverable has the image.
 */
const findCopy = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) =>
  rowOf(
    build
      .select({
        deliverableId: named(deliverables.id, "deliverableId"),
        versionNumber: named(deliverables.version_number, "versionNumber"),
        title: named(deliverables.title, "title"),
        embedUrl: named(deliverables.embed_url, "embedUrl"),
        assetPath: named(deliverables.asset_path, "assetPath"),
        note: named(versions.note, "note"),
        hash: named(versions.hash, "hash"),
        currentState: named(deliverables.current_state, "currentState"),
        isOverBudget: isOverBudget.as("isOverBudget"),
        storageLeftBytes: storageLeft.as("storageLeftBytes"),
      })
      .from(deliverables)
      .innerJoin(
        versions,
        and(
          eq(versions.deliverable_id, deliverables.id),
          eq(versions.version_number, deliverables.version_number),
        ),
      )
      .innerJoin(organizations, eq(organizations.id, deliverables.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .where(
        and(
          eq(deliverables.id, bind.id),
          eq(deliverables.organization_id, organizationOf(bind.tokenHash, "deliverable:write")),
        ),
      ),
  ),
);

export const findWorkingCopy = (tokenHash: string, id: string): Query<WorkingCopy | null> =>
  mapped(findCopy({ tokenHash, id }), (found) => {
    if (found === null) return null;
    const { currentState, isOverBudget, ...copy } = found;
    return { ...copy, isSignedOff: currentState === "signed_off", isOverBudget: isOverBudget === 1 };
  });

/** Returns the working copy if it can be revised, otherwise the refusal. The database checks this again. */
export function requireRevisable(copy: WorkingCopy | null): WorkingCopy | Refusal {
  if (!copy) return refuse("not_found");
  if (copy.isSignedOff) return refuse("deliverable_signed_off");
  if (copy.versionNumber >= limits.versionsPerDeliverable) return refuse("too_many_versions");
  return copy.isOverBudget ? refuse("revision_over_budget") : copy;
}

/**
 * How long an append that loses a race keeps retrying. Together with the image's timeouts, it ends before the claim's
 * lease.
 */
const patienceMs = 5_000;
const longestPauseMs = 50;

/** Appends a version to the working copy. If another version is added first, appends to that one. */
export async function appendVersion(
  { services, organization, actor }: Context<TokenActor, "db" | "images">,
  { id, tokenHash }: { id: string; tokenHash: string },
  fields: NewVersion,
  found: WorkingCopy,
  entryFor: (versionNumber: number) => NewEntry,
): Promise<Recorded<Version> | Refusal> {
  const { deliverableId } = found;
  const entry = entryFor(found.versionNumber + 1);
  const asset = fields.image_base64 && assetOf(entry, fields.image_base64);
  const append = async () => {
    const startedMs = Date.now();
    for (let copy: WorkingCopy | Refusal = found; ; ) {
      if (copy instanceof Refusal) return copy;
      const version = nextVersion(
        copy,
        { id, createdBy: actor.id },
        fields,
        assetFields(asset?.path ?? copy.assetPath),
      );
      try {
        const counted = asset ? [countImage(organization.id, asset)] : [];
        const record = recordKnownAnswer(entryFor(version.version_number), version);
        return await runLast(services.db, [insertVersion(version, organization.id), ...counted, record]);
      } catch (error) {
        const isRaced = raisedName(error) === "version_conflict" && Date.now() - startedMs < patienceMs;
        if (!isRaced) throw error;
      }
      await scheduler.wait(Math.random() * longestPauseMs);
      copy = requireRevisable(await run(services.db, findWorkingCopy(tokenHash, deliverableId)));
    }
  };
  return asset ? saveImage(services, asset, entry, append) : append();
}

const nextVersion = (
  copy: WorkingCopy,
  { id, createdBy }: { id: string; createdBy: string },
  { title, embed_url, note }: NewVersion,
  asset: AssetFields,
): Version =>
  hashVersion({
    id,
    deliverable_id: copy.deliverableId,
    version_number: copy.versionNumber + 1,
    title: title ?? copy.title,
    embed_url: embed_url ?? copy.embedUrl,
    ...asset,
    note: note ?? copy.note,
    previous_hash: copy.hash,
    created_by: createdBy,
    created_at: new Date().toISOString(),
  });
