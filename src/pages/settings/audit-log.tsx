import * as z from "zod";
import { AdminRefusal } from "../../contract/admin-refusals.ts";
import { AuditEntry } from "../../contract/workspace/organization.ts";
import { refusedPage, show } from "./answers.tsx";
import { Minute, SettingsPage, Table } from "./settings-page.tsx";
import { type C, operate } from "./visit.ts";

const shownEntries = 200;

export async function showAuditLog(c: C): Promise<Response> {
  const entries = await operate(c, "audit-log", z.array(AuditEntry), { limit: shownEntries });
  if (entries instanceof AdminRefusal) return refusedPage(c, "audit-log", entries);
  return show(
    c,
    <SettingsPage c={c} section="audit-log" heading="Audit log">
      {entries.length === 0 ? (
        <p class="sheet">Nothing was changed yet. Whoever mints a token or adds an endpoint is named here.</p>
      ) : (
        <Table label="Audit log" head={["At (UTC)", "Who", "What", "Details"]}>
          {entries.map((entry) => (
            <Row entry={entry} />
          ))}
        </Table>
      )}
      {entries.length === shownEntries && <p class="muted">The newest {shownEntries}.</p>}
    </SettingsPage>,
  );
}

const Row = ({ entry }: { entry: AuditEntry }) => (
  <tr>
    <th scope="row">
      <Minute at={entry.created_at} />
    </th>
    <td>
      {entry.actor}
      {entry.api_token_id && <small>by a token</small>}
      {entry.operator && <small>by the operator, {entry.operator}</small>}
    </td>
    <td>
      {entry.action}
      {entry.subject_id && <small>{entry.subject_id}</small>}
    </td>
    <td>{Object.keys(entry.details).length > 0 && <code>{JSON.stringify(entry.details)}</code>}</td>
  </tr>
);
