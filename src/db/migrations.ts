// Written by npm run openapi.

/** Every migration, in order. */
export const migrations: readonly string[] = [
  "0001_currencies.sql",
  "0002_workspace.sql",
  "0003_work.sql",
  "0004_review.sql",
  "0005_webhooks.sql",
  "0006_processor.sql",
  "0007_folded_letters.sql",
  "0008_triggers.sql",
  "0009_one_schema.sql",
  "0010_waiting_invitations.sql",
  "0011_waiting_invitations_triggers.sql",
  "0015_operations.sql",
  "0016_limits_of_workspaces.sql",
  "0017_erased_images.sql",
  "0018_link_prefixes.sql",
  "0019_link_prefixes_triggers.sql",
  "0020_fences.sql",
  "0021_fences_triggers.sql",
  "0022_connections.sql",
  "0023_connections_triggers.sql",
  "0024_reminders.sql",
  "0025_reminders_triggers.sql",
  "0026_returned_mails.sql",
  "0027_returned_mails_triggers.sql",
];
