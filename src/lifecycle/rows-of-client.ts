import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { auditLog } from "../core/audit-log/tables.ts";
import { events, webhookDeliveries } from "../core/events/tables.ts";
import { now } from "../db/columns.ts";
import { reviewCodes, reviewKeys } from "../review/access/tables.ts";
import { deliverableSends, deliverables } from "../review/deliverables/tables.ts";
import { scopeRequestEvidence as evidence } from "../review/evidence/tables.ts";
import { feedback } from "../review/feedback/tables.ts";
import { reviewOpenings } from "../review/openings/tables.ts";
import { signOffs } from "../review/sign-offs/tables.ts";
import { webhookAttempts } from "../webhooks/deliveries/tables.ts";
import { changeDecisions } from "../work/change-decisions/tables.ts";
import { changeOrders } from "../work/change-orders/tables.ts";
import { personalColumns, pseudonymOf } from "../work/clients/erased.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices } from "../work/invoices/tables.ts";
import { projects } from "../work/projects/tables.ts";

/** Rows with a client's personal data. `becomes` has the new values. Without `becomes`, the rows are deleted. */
export interface PersonalRows {
  table: SQLiteTable & { organization_id: SQLiteColumn };
  /** One column, or several as `a, b`. */
  key: SQLiteColumn | SQL;
  /** The column that leads to the client, and the column that it refers to. */
  by: SQLiteColumn;
  to: "client" | "deliverables" | "subjects" | "deliveries";
  becomes?: readonly (readonly [SQLiteColumn, SQL | string | null])[];
}

/** Replacements for a person's name and text. */
const erased = { name: "Erased", words: "[erased]" };

/**
 * The paths of personal data in audit log details: a client's row before and after a change, and a recorded sign-off.
 */
const personalDetails = [
  ...personalColumns.flatMap((field) => [`$.before.${field}`, `$.after.${field}`]),
  "$.signer_name",
];
const paths = sql.join(
  personalDetails.map((path) => sql`${path}`),
  sql`, `,
);

const auditLines: PersonalRows = {
  table: auditLog,
  key: auditLog.sequence,
  by: auditLog.subject_id,
  to: "subjects",
  becomes: [[auditLog.details, sql`json_remove(${auditLog.details}, ${paths})`]],
};

const writtenElsewhere: PersonalRows = {
  table: evidence,
  key: evidence.id,
  by: evidence.client_id,
  to: "client",
  becomes: [
    [evidence.content, erased.words],
    [evidence.author_name, null],
    [evidence.author_address, null],
    [evidence.metadata, "{}"],
  ],
};

/** Mail servers' messages about a client's mailbox. */
const returnedMails: PersonalRows = {
  table: deliverables,
  key: deliverables.id,
  by: deliverables.client_id,
  to: "client",
  becomes: [[deliverables.delivery_problem, null]],
};

/** Rows that belong to the client through their deliverable. */
const ofDeliverable = <T extends PersonalRows["table"] & { deliverable_id: SQLiteColumn }>(
  table: T,
  key: PersonalRows["key"],
  becomes?: PersonalRows["becomes"],
): PersonalRows => ({
  table,
  key,
  by: table.deliverable_id,
  to: "deliverables",
  ...(becomes && { becomes }),
});

/** Returns all personal data outside the client's own row. Work, money and the version chain stay unchanged. */
export const personalRows = (clientId: string): readonly PersonalRows[] => [
  ofDeliverable(reviewKeys, reviewKeys.key_hash),
  ofDeliverable(reviewCodes, reviewCodes.id),
  // All of a deliverable's opens are deleted together.
  ofDeliverable(reviewOpenings, sql`${reviewOpenings.organization_id}, ${reviewOpenings.deliverable_id}`),
  ofDeliverable(feedback, feedback.id, [
    [feedback.author_name, erased.name],
    [feedback.body, erased.words],
  ]),
  ofDeliverable(signOffs, signOffs.id, [
    [signOffs.signer_name, erased.name],
    [signOffs.ip_address, null],
    [signOffs.user_agent, null],
    [signOffs.erased_at, sql`coalesce(${signOffs.erased_at}, ${now})`],
  ]),
  ofDeliverable(deliverableSends, deliverableSends.id, [
    [deliverableSends.message, null],
    [deliverableSends.message_id, null],
    [deliverableSends.delivery_problem, null],
  ]),
  returnedMails,
  writtenElsewhere,
  {
    table: events,
    key: events.sequence,
    by: events.subject_id,
    to: "subjects",
    becomes: [
      [
        events.payload,
        sql`json_replace(${events.payload}, '$.data.client_name', ${pseudonymOf(clientId)},
          '$.data.author_name', ${erased.name}, '$.data.signer_name', ${erased.name},
          '$.data.reason', NULL)`,
      ],
    ],
  },
  auditLines,
  {
    table: webhookAttempts,
    // All of a delivery's attempts are changed together, because no single column identifies an attempt.
    key: webhookAttempts.delivery_id,
    by: webhookAttempts.delivery_id,
    to: "deliveries",
    // A receiver's response may repeat the payload.
    becomes: [[webhookAttempts.response_body, null]],
  },
];

/** Returns the condition for rows that belong to the client. */
export function isOfClient({ table, by, to }: PersonalRows, organizationId: string, clientId: string) {
  const own = sql`organization_id = ${organizationId}`;
  const ofClient = (of: SQLiteTable) => sql`SELECT id FROM ${of} WHERE ${own} AND client_id = ${clientId}`;
  const ofProjects = (of: SQLiteTable) =>
    sql`SELECT id FROM ${of} WHERE ${own} AND project_id IN (${ofClient(projects)})`;
  // Nested, because D1 limits a compound select to five terms.
  const all = (selects: readonly SQL[]) => sql.join([...selects], sql` UNION ALL `);
  const subjects = [
    sql`SELECT ${clientId}`,
    ...[deliverables, invoices].map(ofClient),
    sql`SELECT id FROM (${all([changeOrders, changeDecisions, deposits].map(ofProjects))})`,
  ];
  const each = {
    client: () => [sql`SELECT ${clientId}`],
    deliverables: () => [ofClient(deliverables)],
    subjects: () => subjects,
    deliveries: () => [
      sql`SELECT id FROM ${webhookDeliveries} WHERE event_id IN (
        SELECT id FROM ${events} WHERE ${own} AND subject_id IN (${all(subjects)}))`,
    ],
  }[to]();
  return and(eq(table.organization_id, organizationId), sql`${by} IN (${all(each)})`);
}
