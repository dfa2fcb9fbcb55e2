import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../workspace/audit-log/record.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/card.tsx";
import { Clock } from "../parts/time.tsx";
import { Pager } from "../parts/ways.tsx";
import { Avatar, Machine } from "../parts/who.tsx";
import { refusedPage, show } from "./answers.tsx";
import { type Edit, editsOf, sentenceOf } from "./deeds.ts";
import { only } from "./search.ts";
import { SettingsPage } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

const pageEntries = 200;

export async function showAuditLog(c: C): Promise<Response> {
  const search = only(c.req.query(), ["token", "until"]);
  const fields = { ...search, limit: pageEntries + 1 };
  const found = await operate(c, "audit-log", z.array(AuditEntry), fields);
  if (found instanceof Refusal) return refusedPage(c, "audit-log", found);
  const { entries, older } = wholeMoments(found);
  const isFiltered = Object.keys(search).length > 0;
  return show(
    c,
    <SettingsPage
      c={c}
      section="audit-log"
      heading="Activity"
      lede={search.token ? "What was written with one token." : "Who changed what: people and tokens."}
      actions={
        isFiltered && (
          <Button kind="quiet" href={`${baseOf(c)}/audit-log`}>
            Show all activity
          </Button>
        )
      }
    >
      {entries.length === 0 ? (
        <Empty icon="history" heading={isFiltered ? "Nothing found" : "Nothing has happened yet"}>
          Whoever creates a token, adds an endpoint or changes a record is named here.
        </Empty>
      ) : (
        <Feed entries={entries} />
      )}
      {older && <Pager href={`?${new URLSearchParams({ ...search, until: older })}`}>Older entries</Pager>}
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

const Feed = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <ol class="card flush feed">
    {entries.map((entry, index) => {
      const day = entry.created_at.slice(0, 10);
      const isNewDay = entries[index - 1]?.created_at.slice(0, 10) !== day;
      return (
        <>
          {isNewDay && <li class="day">{day}</li>}
          <Entry entry={entry} />
        </>
      );
    })}
  </ol>
);

const Entry = ({ entry }: { entry: AuditEntry }) => (
  <li>
    {entry.api_token_id || entry.operator ? (
      <Machine icon={entry.operator ? "wrench" : "key"} />
    ) : (
      <Avatar name={entry.actor} />
    )}
    <p>
      <strong title={entry.operator ?? undefined}>{entry.operator ? "Support" : entry.actor}</strong>{" "}
      {entry.operator && <span class="muted">for {entry.actor}</span>}
      {entry.api_token_id && <span class="muted">by a token</span>} {sentenceOf(entry)}
      <Changes changes={editsOf(entry)} />
    </p>
    <Clock at={entry.created_at} />
  </li>
);

/** What an entry holds beside its sentence; of what was changed, the value before it, too. */
const Changes = ({ changes }: { changes: readonly Edit[] }) =>
  changes.length > 0 && (
    <small>
      {changes.map(({ field, before, value }, index) => (
        <>
          {index > 0 && " · "}
          {field}: {before && <del>{before}</del>} {value}
        </>
      ))}
    </small>
  );
