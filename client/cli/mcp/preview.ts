/** A dry run's response. */
export interface DryRun {
  dry_run: true;
  would_be: 200 | 201;
  idempotent_replay?: true;
  version_number?: number;
  mail?: { to: string; subject: string; text: string };
  [field: string]: unknown;
}

/** The records that a response refers to: their paths and names. */
export const namedRecords: ReadonlyMap<
  string,
  { path: string; nameOf: (record: Record<string, unknown>) => string }
> = new Map([
  ["client_id", { path: "/api-v1/clients", nameOf: ({ name }) => String(name) }],
  ["project_id", { path: "/api-v1/projects", nameOf: ({ name }) => String(name) }],
  ["deliverable_id", { path: "/api-v1/deliverables", nameOf: ({ title }) => String(title) }],
]);

/** Puts a text into quotes that it cannot close. */
export const quote = (text: string): string => `“${text.replaceAll(/[“”]/g, "'")}”`;

/**
 * Fields that mean nothing to a person, or that only the finished work has. They are shown only if the request has
 * them.
 */
const isHidden = (name: string) =>
  /(?:^|_)(?:id|at|hash|sha256|token|url|path)$/.test(name) ||
  ["dry_run", "would_be", "ok", "created_by", "is_sample", "idempotent_replay", "client_ref"].includes(name);

/** Describes what a write would do. `named` has the names of referenced records; `mark` marks strangers' text. */
export function preview(
  summary: string,
  { mail, ...answer }: DryRun,
  body: object,
  named: ReadonlyMap<string, string>,
  mark: (text: string) => string,
): string {
  if (mail) {
    const work = named.get("deliverable_id");
    return `This would e-mail ${mail.to} about version ${answer.version_number}${work ? ` of ${quote(work)}` : ""}, \
with the subject ${quote(mail.subject)} and this text:\n\n${mark(mail.text)}`;
  }
  const parts = Object.entries(answer).flatMap(([name, value]) => {
    if (namedRecords.has(name) && value !== null) {
      const called = named.get(name);
      const record = name.replace("_id", "");
      if (called !== undefined) return [`${record} ${quote(called)}`];
      return Object.hasOwn(body, name) ? [`a ${record} that this token may not read (${value})`] : [];
    }
    if ((isHidden(name) && !Object.hasOwn(body, name)) || value === null) return [];
    const words = name.replaceAll("_", " ");
    if (Array.isArray(value)) return value.length > 0 ? [counted(value.length, words)] : [];
    if (typeof value === "object") return [];
    const shown = typeof value === "string" ? quote(value) : String(value);
    return [`${words} ${shown}`];
  });
  return `${summary}: this would have ${parts.join(", ")}.`;
}

/** List names are plurals that end in "s". */
const counted = (count: number, plural: string) => `${count} ${count === 1 ? plural.slice(0, -1) : plural}`;
