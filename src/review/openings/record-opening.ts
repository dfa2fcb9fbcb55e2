import { eq, sql } from "drizzle-orm";
import { insertSelect, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import type { Query } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { hasShareToken } from "../access/share-url.ts";
import { reviewKeys } from "../access/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { opensReview, type ReviewVisit } from "../visits/find-review.ts";
import { reviewOpenings } from "./tables.ts";

/**
 * Records that the client opened a version. Does nothing if the visitor has no valid key, the version is unknown, the
 * client already opened it that day, or the workspace is closed to changes.
 */
export const recordOpening = ({ shareToken, keyHash }: ReviewVisit, version: number): Query<void> =>
  statement(
    insertSelect(
      reviewOpenings,
      {
        organization_id: sql`${deliverables.organization_id}`,
        deliverable_id: sql`${deliverables.id}`,
        day: sql`date('now')`,
        version_number: version,
        visitor: "",
        created_at: now,
      },
      sql`FROM ${deliverables} JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
        JOIN ${reviewKeys} ON ${opensReview(keyHash)}
        WHERE ${hasShareToken(shareToken)} AND ${version} BETWEEN 1 AND ${deliverables.version_number}
          AND ${notFenced(deliverables.organization_id)}
        ON CONFLICT DO NOTHING`,
    ),
  );
