/** What the name of a file says about it: whether a program that is given it may load or run it. */

/** Machine code, and what a desktop starts: the program that gets it loads or runs it. */
const LIBRARY =
  /\.(?:command|desktop|workflow|so(?:\.\d+)*|dylib|dll|node|wasm|jar|class|pyc|phar|beam|mo)$/i;
/** Texts, tables, pictures, archives: what programs work on. */
const DATA =
  /\.(?:txt|text|md|mdx|markdown|rst|adoc|org|log|out|err|csv|tsv|psv|jsonc?|json5|jsonl|ndjson|geojson|lock|sum|xml|html?|xhtml|css|scss|sass|less|svg|png|jpe?g|gif|bmp|ico|icns|webp|avif|tiff?|pdf|docx?|xlsx?|pptx?|odt|mp[34]|m4a|wav|aiff?|ogg|flac|caf|mov|webm|avi|mkv|ttf|otf|woff2?|zip|tar|t?gz|tgz|bz2|xz|zst|7z|rar|dump|bak|orig|tmp|temp|swp|pid|sock|patch|diff|rej|map|snap|golden|expected|parquet|arrow|avro|db|sqlite3?|key|pem|crt|cer|pub|asc|sig|gpg|age|sha\d*|md5|ics|eml|srt|vtt|po|pot|proto|graphql|gql|prisma|lcov|info|dat|bin|in|data)$/i;
/** Files without an ending that are data, whatever programs get them. */
const DATA_NAME =
  /(?:^|\/)(?:LICEN[CS]E|README|CHANGELOG|AUTHORS|NOTICE|COPYING|VERSION|TODO|CODEOWNERS|\.env(?:\.[\w-]+)?|\.gitignore|\.\w*ignore|\.gitkeep|\.editorconfig)$/;
/** A zip archive that Python runs, or takes modules from. */
const ARCHIVE = /\.(?:zip|pyz|whl|egg)$/i;

export function isLibrary(path: string): boolean {
  return LIBRARY.test(path);
}

export function isData(path: string): boolean {
  return DATA.test(path) || DATA_NAME.test(path);
}

export function isArchive(path: string): boolean {
  return ARCHIVE.test(path);
}
