/**
 * Whether wrangler was called for a dry run, which uploads nothing. If it is written in any other way, or another word
 * reverses it, it does not count as one.
 */
export function isDryRun(words: readonly string[]): boolean {
  const told = words.join(" ").match(/(?<!\S)--\S*dry\S*(?: false(?!\S))?/gi) ?? [];
  return told.length > 0 && told.every((word) => word === "--dry-run" || word === "--dry-run=true");
}
