import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../core/audit-log/record.ts";
import { Avatar, Machine } from "../parts/avatar.tsx";
import { Button } from "../parts/button.tsx";
import { Empty, Fold } from "../parts/card.tsx";
import { Select } from "../parts/field.tsx";
import { Pager } from "../parts/navigation.tsx";
import { Clock, Day } from "../parts/time.tsx";
import { Address } from "../parts/words.tsx";
import { actionNames, type Edit } from "./actions.ts";
import { describeEntry, type Names, namesFor } from "./activity-names.ts";
import { baseOf, type C, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { pick } from "./search.ts";
import { SettingsPage } from "./settings-page.tsx";

const pageEntries = 200;

const filterFields = ["person", "token", "action"] as const;

export async function showAuditLog(c: C): Promise<Response> {
  const search = pick(given(c), [...filterFields, "until"]);
  const filter = pick(search, filterFields);
  const fields = { ...search, limit: pageEntries + 1 };
  const found = await operate(c, "audit-log", z.array(AuditEntry), fields);
  // A search that ended early returns where to continue.
  const continueAt = found instanceof Refusal ? /^until=(.+)/.exec(found.hint ?? "")?.[1] : undefined;
  if (found instanceof Refusal && !continueAt) return refusedPage(c, found);
  const { entries, older } =
    found instanceof Refusal ? { entries: [], older: continueAt } : wholeMilliseconds(found, filter);
  const isFiltered = Object.keys(search).length > 0;
  const names = await namesFor(c, entries);
  return show(
    c,
    <SettingsPage
      c={c}
      heading="Activity"
      lede="What people and tokens changed in this workspace, newest first."
      actions={
        <Button
          kind="quiet"
          icon="download"
          href={`${auditLogPath(c)}/export?${new URLSearchParams(filter)}`}
        >
          Export
        </Button>
      }
    >
      <Filters c={c} filter={filter} names={names} />
      {entries.length === 0 ? (
        <None c={c} isFiltered={isFiltered} mayBeOlder={continueAt !== undefined} />
      ) : (
        <Feed entries={entries} names={names} />
      )}
      {older && <Pager href={`?${new URLSearchParams({ ...search, until: older })}`}>Older entries</Pager>}
    </SettingsPage>,
  );
}

const auditLogPath = (c: C) => `${baseOf(c)}/audit-log`;

const None = ({ c, isFiltered, mayBeOlder }: { c: C; isFiltered: boolean; mayBeOlder: boolean }) =>
  isFiltered ? (
    <Empty
      icon="search"
      heading={mayBeOlder ? "Nothing found yet" : "Nothing found"}
      actions={
        <Button kind="quiet" href={auditLogPath(c)}>
          Show all activity
        </Button>
      }
    >
      {mayBeOlder
        ? "Nothing in the newest entries matches these filters. Continue with older entries."
        : "No activity matches these filters."}
    </Empty>
  ) : (
    <Empty icon="history" heading="No activity yet">
      When someone creates a token, adds an endpoint or changes a record, it appears here with their name.
    </Empty>
  );

/** Returns the search in the URL. Empty fields are ignored. */
const given = (c: C): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value.trim() !== ""));

const Filters = ({ c, filter, names }: { c: C; filter: Record<string, string>; names: Names }) => (
  <Fold summary="Filters" open={Object.keys(filter).length > 0}>
    <form class="filters" method="get" action={auditLogPath(c)}>
      <Select
        label="Person"
        name="person"
        chosen={filter.person}
        options={[
          ["", "Everyone"],
          ...names.people.map(({ email, name }) => [email, name ?? email] as const),
        ]}
      />
      <Select
        label="Token"
        name="token"
        chosen={filter.token}
        options={[["", "All tokens"], ...names.tokens.map(({ id, name }) => [id, name] as const)]}
      />
      <Select
        label="Action"
        name="action"
        chosen={filter.action}
        options={[["", "All actions"], ...actionNames]}
      />
      <Button kind="quiet">Search</Button>
      {Object.keys(filter).length > 0 && (
        <Button kind="bare" href={auditLogPath(c)}>
          Clear
        </Button>
      )}
    </form>
  </Fold>
);

/**
 * Returns one page's entries. A page never ends within a millisecond, because the next page starts before a given
 * millisecond. A filtered page may have found fewer entries than exist.
 */
function wholeMilliseconds(
  found: readonly AuditEntry[],
  filter: Record<string, string>,
): { entries: readonly AuditEntry[]; older?: string | undefined } {
  const next = found[pageEntries];
  const isSearch = filter.person !== undefined || filter.action !== undefined;
  if (!next) return { entries: found, older: isSearch ? found.at(-1)?.created_at : undefined };
  const whole = found.filter(({ created_at }) => created_at > next.created_at);
  const older = whole.at(-1)?.created_at;
  return older === undefined ? { entries: found, older: next.created_at } : { entries: whole, older };
}

const Feed = ({ entries, names }: { entries: readonly AuditEntry[]; names: Names }) => (
  <ol class="card flush feed">
    {entries.map((entry, index) => {
      const day = entry.created_at.slice(0, 10);
      const isNewDay = entries[index - 1]?.created_at.slice(0, 10) !== day;
      return (
        <>
          {isNewDay && (
            <li class="day">
              <Day day={day} />
            </li>
          )}
          <Entry entry={entry} names={names} />
        </>
      );
    })}
  </ol>
);

const Entry = ({ entry, names }: { entry: AuditEntry; names: Names }) => {
  const { person, token, phrase, page, edits } = describeEntry(entry, names);
  return (
    <li>
      {entry.api_token_id || entry.operator ? (
        <Machine icon={entry.operator ? "wrench" : "key"} />
      ) : (
        <Avatar name={person} />
      )}
      <p>
        <strong title={entry.operator ?? entry.actor}>
          <bdi>{entry.operator ? "Support" : person}</bdi>
        </strong>{" "}
        {entry.operator && (
          <>
            <span class="muted">
              for <bdi>{person}</bdi>
            </span>{" "}
          </>
        )}
        {phrase.before}
        <Subject name={phrase.subject} page={page} />
        {phrase.after}
        <Details token={entry.api_token_id && token} edits={edits} />
      </p>
      <Clock at={entry.created_at} />
    </li>
  );
};

const Subject = ({ name, page }: { name: string; page: string | undefined }) => {
  if (name === "") return null;
  return page === undefined ? (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  ) : (
    <a href={page}>
      <bdi>
        <Address>{name}</Address>
      </bdi>
    </a>
  );
};

/** An entry's token, and what changed, with the old values. */
const Details = ({ token, edits }: { token: string | null; edits: readonly Edit[] }) =>
  (token || edits.length > 0) && (
    <small>
      {token && (
        <>
          with the token <bdi>{token}</bdi>
        </>
      )}
      {edits.map(({ field, before, value }, index) => (
        <>
          {(token || index > 0) && " · "}
          {field}:{" "}
          {before && (
            <>
              <del>{before}</del>{" "}
            </>
          )}
          {value}
        </>
      ))}
    </small>
  );
