/**
 * Whether the wrangler command is a dry run, which uploads nothing. Other spellings, such as `--dry-run false`, are not
 * dry runs.
 */
export function isDryRunCommand(words: readonly string[]): boolean {
  const told = words.join(" ").match(/(?<!\S)--\S*dry\S*(?: false(?!\S))?/gi) ?? [];
  return told.length > 0 && told.every((word) => word === "--dry-run" || word === "--dry-run=true");
}
