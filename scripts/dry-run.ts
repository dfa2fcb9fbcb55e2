/**
 * Whether wrangler was called for a dry run, which uploads nothing. A call that spells it differently, or that
 * reverses it with another word, does not count as one.
 */
export function isDryRun(words: readonly string[]): boolean {
  const told = words.join(" ").match(/(?<!\S)--\S*dry\S*(?: false(?!\S))?/gi) ?? [];
  return told.length > 0 && told.every((word) => word === "--dry-run" || word === "--dry-run=true");
}
