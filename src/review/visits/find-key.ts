import { eq, sql } from "drizzle-orm";
import { build, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { clients } from "../../work/clients/tables.ts";
import { hasShareToken } from "../access/share-url.ts";
import { reviewKeys } from "../access/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { opensReview } from "./find-review.ts";

/** Checks whether a visitor's key opens a link's review; null if it does not. */
export const findKey = prepared((bind: Placeholders<{ shareToken: string; keyHash: string }>) =>
  rowOf(
    build
      .select({ isLive: sql<number>`1`.as("isLive") })
      .from(deliverables)
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .innerJoin(reviewKeys, opensReview(bind.keyHash))
      .where(hasShareToken(bind.shareToken)),
  ),
);
