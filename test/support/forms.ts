import { env } from "cloudflare:workers";

/** Moves a workspace's ledger entries into the past. Marks it as being erased, because only an erasure may do so. */
export const ageForms = ({ organizationId }: { organizationId: string }, seconds = 61) =>
  env.DB.batch([
    env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
    env.DB.prepare(
      `UPDATE requests SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || ? || ' seconds')
       WHERE organization_id = ?`,
    ).bind(seconds, organizationId),
    env.DB.prepare("DELETE FROM erasures"),
  ]);
