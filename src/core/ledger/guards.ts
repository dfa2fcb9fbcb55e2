import { sql } from "drizzle-orm";
import { notErasing } from "../../db/erasing.ts";
import { before, changes, plainText, raise, type Statement, view } from "../../db/trigger.ts";
import { ledger } from "./tables.ts";

/** A token's entry for finished work cannot be changed or deleted, because the audit log shows it. */
export const requestGuards: readonly Statement[] = [
  // INSERT OR REPLACE would replace an entry without firing a delete trigger.
  before(ledger, "INSERT", "once", ({ NEW }) => ({
    when: sql`EXISTS (SELECT 1 FROM ${ledger} WHERE organization_id = ${NEW.organization_id} AND key = ${NEW.key})`,
    do: raise("idempotency_key_reused"),
  })),
  before(ledger, "UPDATE", "stay", (rows) => ({
    when: sql`(${changes(
      rows,
      "key",
      "fingerprint",
      "request_id",
      "actor",
      "action",
      "subject_id",
      "details",
      "created_at",
    )}) AND ${notErasing(rows.OLD)}`,
    do: raise("immutable"),
  })),
  before(ledger, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.lease_ends_at} IS NULL AND (${OLD.key} GLOB 'key:*' OR ${OLD.key} GLOB 'request:*')
      AND ${notErasing(OLD)}`,
    do: raise("immutable"),
  })),
];

/** An insert into this view aborts the transaction with the inserted text as the error message (dry-run.ts). */
export const dryRunGuards: readonly Statement[] = [
  view("dry_runs", sql`SELECT NULL AS told`),
  {
    kind: "TRIGGER",
    name: "dry_runs_keep_nothing",
    text: plainText(sql`CREATE TRIGGER dry_runs_keep_nothing INSTEAD OF INSERT ON dry_runs
      BEGIN SELECT RAISE(ABORT, NEW.told); END`),
  },
];
