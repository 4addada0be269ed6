/**
 * Texts that people and programs read, by their endings, wherever they come from. What else is data depends on who chose
 * the name of the file, so trust and permissions add their own.
 */
const TEXT =
  /\.(?:txt|mdx?|rst|adoc|json(?:c|5|l)?|ndjson|csv|tsv|xml|html?|css|scss|svg|log|out|lock|patch|diff|proto|graphql|snap|map|po)$/i;

/** Contract: pure. */
export function isTextFile(path: string): boolean {
  return TEXT.test(path);
}
