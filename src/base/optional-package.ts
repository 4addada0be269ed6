/** Optional packages: which versions work, and one way to load them that says what to install. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from './errors.js';
import { moduleFoldersFrom } from './run-time-modules.js';

/**
 * The oldest version of each that works. `peerDependencies` has the same bounds, and upper ones. A version above those
 * is loaded anyway: its installation was forced on purpose.
 */
export const OLDEST = {
  '@anthropic-ai/sdk': '0.60.0',
  '@modelcontextprotocol/sdk': '1.20.0',
  '@opentelemetry/api': '1.3.0',
  openai: '5.0.0',
  redis: '4.6.0',
} as const;

export type OptionalPackage = keyof typeof OLDEST;

/**
 * Contract: rejects only with what `fail` makes of one sentence: the package is absent, too old or broken, and what to
 * install. Write each as `await import('name')` directly inside a `try` whose `catch` calls `rethrow`: bundlers then
 * leave out what is not installed. webpack and rolldown look for the `try`, esbuild for the `await` in it, or for
 * `import('name').catch(rethrow)`.
 */
export async function loadOptional<T>(
  name: OptionalPackage,
  /** Such as `A mailbox in Redis needs`. */
  need: string,
  load: () => Promise<T>,
  fail: (message: string, cause?: unknown) => Error,
): Promise<T> {
  const version = installedVersion(name);
  if (version !== undefined && isOlder(version, OLDEST[name]))
    throw fail(
      `${need} the package ${name} in version ${OLDEST[name]} or newer, and ${version} is installed: npm install ${name}@latest`,
    );
  try {
    return await load();
  } catch (cause) {
    const why = isAbsent(cause) ? 'is not installed' : `cannot be loaded (${messageOf(cause)})`;
    const advice = HAS_NO_REQUIRE.test(messageOf(cause))
      ? 'leave it external in the bundle'
      : `npm install ${name}`;
    throw fail(`${need} the package ${name}, which ${why}: ${advice}`, cause);
  }
}

/** What a CommonJS package says in an ECMAScript module that esbuild has made. */
const HAS_NO_REQUIRE = /^Dynamic require of /;

export function rethrow(error: unknown): never {
  throw error;
}

const versions = new Map<string, string>();

/** Undefined if it is not installed, or part of a bundle. Reads package.json, which not every package exports. */
export function installedVersion(name: string): string | undefined {
  const known = versions.get(name);
  if (known !== undefined) return known;
  for (const folder of moduleFolders(name)) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      versions.set(name, version);
      return version;
    } catch {
      // It is not in this folder.
    }
  }
  return undefined;
}

/** None in bundles in which a module does not know its file. */
function moduleFolders(name: string): readonly string[] {
  try {
    return moduleFoldersFrom(import.meta.url, name);
  } catch {
    return [];
  }
}

/** Compares the three numbers; a pre-release counts as its release. */
function isOlder(version: string, oldest: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(oldest)];
  const at = [0, 1, 2].find((i) => a[i] !== b[i]);
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0);
}

const numbersOf = (version: string): readonly number[] =>
  version.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10) || 0);

/** A missing file of an installed package has the same code, but another message. */
function isAbsent(cause: unknown): boolean {
  const { code, message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  return (
    code === 'MODULE_NOT_FOUND' ||
    (code === 'ERR_MODULE_NOT_FOUND' && message !== undefined && !message.startsWith('Cannot find module'))
  );
}
