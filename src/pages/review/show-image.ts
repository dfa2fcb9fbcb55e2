import type { Context } from "hono";
import { run } from "../../db/query.ts";
import { findImage, findPreview } from "../../review/visits/find-image.ts";
import type { PageApp } from "../page-app.ts";
import { reviewNotFound } from "./responses.tsx";

/** Streams a version's image from the bucket, so that ten megabytes are never in memory. */
export async function showImage(
  c: Context<PageApp>,
  version: { shareToken: string; versionNumber: number },
): Promise<Response> {
  const { db, images } = c.get("services");
  const image = await run(db, findImage(version));
  const object = image?.path ? await images.get(image.path) : null;
  if (!object) return reviewNotFound(c);
  return c.body(object.body, 200, {
    "Content-Type": object.httpMetadata?.contentType ?? "application/octet-stream",
    "Content-Length": String(object.size),
    "Content-Disposition": "inline",
  }) as Response;
}

/** Shows the picture for the review's link previews (contract P24). */
export async function showPreview(c: Context<PageApp>): Promise<Response> {
  const { db, versionPicture } = c.get("services");
  const image = await run(db, findPreview({ shareToken: c.req.param("token") ?? "" }));
  const picture = image?.path ? await versionPicture?.(image.path, "preview") : null;
  if (!picture) return reviewNotFound(c);
  return c.body(picture, 200, { "Content-Type": "image/jpeg" }) as Response;
}
