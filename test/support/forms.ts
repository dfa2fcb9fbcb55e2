import { env } from "cloudflare:workers";

/**
 * Backdates a workspace's ledger entries. Marks the workspace as being erased, because triggers otherwise prevent this.
 */
export const ageForms = ({ organizationId }: { organizationId: string }, seconds = 61) =>
  env.DB.batch([
    env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
    env.DB.prepare(
      `UPDATE requests SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || ? || ' seconds')
       WHERE organization_id = ?`,
    ).bind(seconds, organizationId),
    env.DB.prepare("DELETE FROM erasures"),
  ]);
