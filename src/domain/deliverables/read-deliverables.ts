import type { Deliverable } from "../../contract/resources/deliverable.ts";
import { findById, type Row } from "../../db/query.ts";
import { deliverables } from "../../db/schema/review.ts";
import { pageOf, recordOf } from "../../db/select.ts";
import { recalled } from "../recall.ts";

const columns = {
  id: deliverables.id,
  title: deliverables.title,
  client_id: deliverables.client_id,
  project_id: deliverables.project_id,
  embed_url: deliverables.embed_url,
  asset_path: deliverables.asset_path,
  share_url: deliverables.share_url,
  review_state: deliverables.review_state,
  current_state: deliverables.current_state,
  status_label: deliverables.status_label,
  version_number: deliverables.version_number,
  is_sample: deliverables.is_sample,
  sent_at: deliverables.sent_at,
  signed_off_at: deliverables.signed_off_at,
  created_at: deliverables.created_at,
  updated_at: deliverables.updated_at,
};

const toDeliverable = (row: Row): Deliverable => ({
  ...(row as Deliverable),
  is_sample: row.is_sample === 1,
});

export const pageOfDeliverables = pageOf(deliverables, columns, toDeliverable);
export const findDeliverable = recordOf(deliverables, columns, toDeliverable);

/** One deliverable, null if the organization has none with this id. */
export const readDeliverable = findById("deliverables", toDeliverable);

/** What a create answers. */
export const recallDeliverable = (organizationId: string, id: string) =>
  recalled(
    "SELECT id, share_url, request_fingerprint FROM deliverables WHERE id = ? AND organization_id = ?",
    [id, organizationId],
    ({ id, share_url }) => ({ id, share_url }),
  );
