/** What a dry run says would happen, for people. */
export interface DryRun {
  dry_run: true;
  would_be: 200 | 201;
  idempotent_replay?: true;
  version_number?: number;
  mail?: { to: string; subject: string; text: string };
  [field: string]: unknown;
}

/** Fields that tell a person nothing, or that only the finished work has, unless the request names them. */
const isUntold = (name: string) =>
  /(?:^|_)(?:id|at|hash|sha256|token|url|path)$/.test(name) ||
  ["dry_run", "would_be", "ok", "created_by", "is_sample", "idempotent_replay", "client_ref"].includes(name);

export function preview(summary: string, { mail, ...answer }: DryRun, body: object): string {
  if (mail)
    return `This would e-mail ${mail.to} about version ${answer.version_number}, with the subject “${mail.subject}” \
and this text:\n\n${mail.text}`;
  const told = Object.entries(answer).flatMap(([name, value]) => {
    if ((isUntold(name) && !Object.hasOwn(body, name)) || value === null) return [];
    const words = name.replaceAll("_", " ");
    if (Array.isArray(value)) return value.length > 0 ? [counted(value.length, words)] : [];
    if (typeof value === "object") return [];
    const shown = typeof value === "string" ? `“${value}”` : String(value);
    return [`${words} ${shown}`];
  });
  return `${summary}: this would have ${told.join(", ")}.`;
}

/** The name of a list is a plural that ends with "s". */
const counted = (count: number, plural: string) => `${count} ${count === 1 ? plural.slice(0, -1) : plural}`;
