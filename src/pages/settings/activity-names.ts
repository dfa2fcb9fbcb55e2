import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import type { AuditEntry } from "../../core/audit-log/record.ts";
import { run } from "../../db/query.ts";
import { recordNames } from "../../review/record-names.ts";
import { listEndpointsAnd } from "../../webhooks/endpoints/read-endpoints.ts";
import { ListedMember } from "../../workspace/members/record.ts";
import { ListedToken } from "../../workspace/tokens/record.ts";
import { type Edit, editsOf, type Phrase, phraseOf } from "./actions.ts";
import { clientPage } from "./client.tsx";
import { type C, operate } from "./page-context.ts";
import { endpointTitle, webhooksPath } from "./webhooks.tsx";

/** Display names for everything that activity entries mention. */
export interface Names {
  people: readonly ListedMember[];
  tokens: readonly ListedToken[];
  /** Names of records, by id. */
  records: ReadonlyMap<string, string>;
  /** The settings pages of records, by id. */
  pages: ReadonlyMap<string, string>;
}

export async function namesFor(c: C, entries: readonly AuditEntry[]): Promise<Names> {
  const ids = [...new Set(entries.flatMap(({ subject_id }) => subject_id ?? []))];
  const [{ db }, { id }] = [c.get("services"), c.get("workspace")];
  const isOfEndpoint = entries.some(({ action }) => action.startsWith("webhook_"));
  const [people, tokens, records, endpoints] = await Promise.all([
    operate(c, "list-members", z.array(ListedMember), { limit: 200 }),
    operate(c, "list-api-tokens", z.array(ListedToken), { limit: 200 }),
    recordNames(db, id, ids),
    isOfEndpoint ? run(db, listEndpointsAnd(id, ids)) : [],
  ]);
  return {
    people: people instanceof Refusal ? [] : people,
    tokens: tokens instanceof Refusal ? [] : tokens,
    records: new Map([...records, ...endpoints.map((one) => [one.id, endpointTitle(one)] as const)]),
    pages: new Map([
      ...entries
        .filter(({ action }) => /^client\.(?:created|updated)$/.test(action))
        .map(({ subject_id }) => [subject_id ?? "", clientPage(c, subject_id ?? "")] as const),
      ...endpoints
        .filter(({ deleted_at }) => deleted_at === null)
        .map((one) => [one.id, `${webhooksPath(c)}/${one.id}`] as const),
    ]),
  };
}

interface EntryDescription {
  person: string;
  /** The name of the token that made the change; null if no token did. */
  token: string | null;
  phrase: Phrase;
  /** The subject's settings page, if it has one. */
  page: string | undefined;
  edits: readonly Edit[];
}

/** Describes an entry, for the page and its export. */
export function describeEntry(entry: AuditEntry, names: Names): EntryDescription {
  const { actor, api_token_id, subject_id } = entry;
  return {
    person: names.people.find(({ email }) => email === actor)?.name ?? actor,
    token: api_token_id && (names.tokens.find(({ id }) => id === api_token_id)?.name ?? "that is not listed"),
    phrase: phraseOf(entry, names.records.get(subject_id ?? "")),
    page: names.pages.get(subject_id ?? ""),
    edits: editsOf(entry),
  };
}
