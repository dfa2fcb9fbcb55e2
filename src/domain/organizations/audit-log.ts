import { AuditEntry } from "../../contract/workspace/organization.ts";
import { records } from "../../db/records.ts";
import { auditLog } from "../../db/schema/workspace.ts";

export const { newest: newestAuditEntries } = records(auditLog, AuditEntry, {});
