import { env } from "cloudflare:workers";

/** Moves the time of a workspace's forms into the past; only an erasure may change their entries. */
export const ageForms = ({ organizationId }: { organizationId: string }, seconds = 61) =>
  env.DB.batch([
    env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
    env.DB.prepare(
      `UPDATE requests SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || ? || ' seconds')
       WHERE organization_id = ?`,
    ).bind(seconds, organizationId),
    env.DB.prepare("DELETE FROM erasures"),
  ]);
