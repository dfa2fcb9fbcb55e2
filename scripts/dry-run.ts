/**
 * Whether wrangler was called for a dry run, which uploads nothing. Written in any other way, or taken back by another
 * word, it counts as none.
 */
export function isDryRun(words: readonly string[]): boolean {
  const told = words.join(" ").match(/(?<!\S)--\S*dry\S*(?: false(?!\S))?/gi) ?? [];
  return told.length > 0 && told.every((word) => word === "--dry-run" || word === "--dry-run=true");
}
