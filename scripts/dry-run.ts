/**
 * Whether wrangler was called for a dry run, which uploads nothing. Any other spelling, such as `--dry-run false`,
 * does not count as a dry run.
 */
export function isDryRunCommand(words: readonly string[]): boolean {
  const told = words.join(" ").match(/(?<!\S)--\S*dry\S*(?: false(?!\S))?/gi) ?? [];
  return told.length > 0 && told.every((word) => word === "--dry-run" || word === "--dry-run=true");
}
