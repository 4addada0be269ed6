/** What the name of a file says about it: whether a program that is given it may load or run it. */
import { isTextFile } from '../../../shell/data-files.js';

/** Machine code, and what a desktop starts: the program that gets it loads or runs it. */
const LIBRARY =
  /\.(?:command|desktop|workflow|so(?:\.\d+)*|dylib|dll|node|wasm|jar|class|pyc|phar|beam|mo)$/i;
/**
 * More that programs work on: tables, pictures, archives. Files of a project have these names for a reason, whereas a line
 * could give any of them to code that it writes itself. Settings (YAML, TOML, INI) are no data here: they may name programs.
 */
const DATA =
  /\.(?:text|markdown|org|err|psv|geojson|sum|xhtml|sass|less|png|jpe?g|gif|bmp|ico|icns|webp|avif|tiff?|pdf|docx?|xlsx?|pptx?|odt|mp[34]|m4a|wav|aiff?|ogg|flac|caf|mov|webm|avi|mkv|ttf|otf|woff2?|zip|tar|t?gz|tgz|bz2|xz|zst|7z|rar|dump|bak|orig|tmp|temp|swp|pid|sock|rej|golden|expected|parquet|arrow|avro|db|sqlite3?|key|pem|crt|cer|pub|asc|sig|gpg|age|sha\d*|md5|ics|eml|srt|vtt|pot|gql|prisma|lcov|info|dat|bin|in|data)$/i;
/** Files without an ending that are data, whatever programs get them. */
const DATA_NAME =
  /(?:^|\/)(?:LICEN[CS]E|README|CHANGELOG|AUTHORS|NOTICE|COPYING|VERSION|TODO|CODEOWNERS|\.env(?:\.[\w-]+)?|\.gitignore|\.\w*ignore|\.gitkeep|\.editorconfig)$/;
/** A zip archive that Python runs, or takes modules from. */
const ARCHIVE = /\.(?:zip|pyz|whl|egg)$/i;

export function isLibrary(path: string): boolean {
  return LIBRARY.test(path);
}

export function isData(path: string): boolean {
  return isTextFile(path) || DATA.test(path) || DATA_NAME.test(path);
}

export function isArchive(path: string): boolean {
  return ARCHIVE.test(path);
}
