import { sql } from "drizzle-orm";
import type { Image } from "../../contract/image-input.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, statement } from "../../db/build.ts";
import { required, run, runLast } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { newId } from "../../platform/new-id.ts";
import { findBrand } from "./read-brand.ts";
import type { Brand } from "./record.ts";
import { brands } from "./tables.ts";

/** Omitted fields keep their values; null removes a field. */
interface BrandChange {
  accent?: string | null | undefined;
  logo?: Image | null | undefined;
  linkPreviews?: boolean | undefined;
}

export async function setBrand(
  context: Context<Staff, "db">,
  { accent, logo, linkPreviews }: BrandChange,
): Promise<Brand> {
  const { id } = context.organization;
  const values = {
    ...(accent !== undefined && { accent }),
    ...(logo !== undefined && logoColumns(logo)),
    ...(linkPreviews !== undefined && { link_previews: linkPreviews }),
  };
  const { db } = context.services;
  const before = await run(db, findBrand(id));
  return runLast(db, [
    statement(
      build
        .insert(brands)
        .values({ id: newId(), organization_id: id, ...values })
        .onConflictDoUpdate({
          target: brands.organization_id,
          set: { ...values, organization_id: sql`excluded.organization_id` },
        }),
    ),
    ...changeEntries(context, "brand.set", id, changesOf(values, before)),
    required(findBrand(id)),
  ]);
}

/** Returns the changed fields, for the audit log. */
function changesOf(values: Partial<Brand>, before: Brand | null) {
  const { accent, logo_sha256, logo_content_type, link_previews } = values;
  return {
    ...(accent !== undefined && accent !== (before?.accent ?? null) && { accent: accent ?? "none" }),
    ...(logo_sha256 !== undefined &&
      logo_sha256 !== (before?.logo_sha256 ?? null) && { logo: logo_content_type ?? "none" }),
    ...(link_previews !== undefined &&
      link_previews !== (before?.link_previews ?? true) && { link_previews }),
  };
}

const logoColumns = (logo: Image | null) =>
  logo === null
    ? { logo: null, logo_content_type: null, logo_sha256: null }
    : {
        logo: logo.bytes.toBase64(),
        logo_content_type: logo.format.contentType,
        logo_sha256: sha256Hex(logo.bytes),
      };
