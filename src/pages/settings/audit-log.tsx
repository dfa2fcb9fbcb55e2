import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../workspace/audit-log/record.ts";
import { refusedPage, show } from "./answers.tsx";
import { only } from "./search.ts";
import { Minute, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

const pageEntries = 200;

export async function showAuditLog(c: C): Promise<Response> {
  const search = only(c.req.query(), ["token", "until"]);
  const fields = { ...search, limit: pageEntries + 1 };
  const found = await operate(c, "audit-log", z.array(AuditEntry), fields);
  if (found instanceof Refusal) return refusedPage(c, "audit-log", found);
  const { entries, older } = wholeMoments(found);
  return show(
    c,
    <SettingsPage c={c} section="audit-log" heading="Audit log">
      {Object.keys(search).length > 0 && (
        <p>
          {search.token && "What was written with one token. "}
          <a href={`${baseOf(c)}/audit-log`}>Show the newest of all</a>
        </p>
      )}
      {entries.length === 0 ? (
        <p class="sheet">
          {Object.keys(search).length > 0
            ? "Nothing was found."
            : "Nothing was changed yet. Whoever mints a token or adds an endpoint is named here."}
        </p>
      ) : (
        <Table label="Audit log" head={["At (UTC)", "Who", "What", "Details"]}>
          {entries.map((entry) => (
            <Row entry={entry} />
          ))}
        </Table>
      )}
      {older && <a href={`?${new URLSearchParams({ ...search, until: older })}`}>Older entries</a>}
    </SettingsPage>,
  );
}

/**
 * The entries of one page. It ends between two milliseconds, because the next page begins before a given millisecond.
 */
function wholeMoments(found: readonly AuditEntry[]): { entries: readonly AuditEntry[]; older?: string } {
  const next = found[pageEntries];
  if (!next) return { entries: found };
  const whole = found.filter(({ created_at }) => created_at > next.created_at);
  const older = whole.at(-1)?.created_at;
  return older === undefined ? { entries: found, older: next.created_at } : { entries: whole, older };
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
    <td class="details">
      {Object.keys(entry.details).length > 0 && <code>{spacedJson(entry.details)}</code>}
    </td>
  </tr>
);

/** JSON on one line, with blanks where a line may break: in the texts that it holds, a line break is escaped. */
const spacedJson = (details: object): string => JSON.stringify(details, null, 1).replaceAll(/\n */g, " ");
