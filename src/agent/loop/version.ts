/** The version of this package, as transcripts name it. */
import { readFileSync } from 'node:fs';

export const VERSION = readVersion();

/** In an application's bundle there is no manifest beside the code, and nothing but a word in a transcript depends on it. */
function readVersion(): string {
  try {
    const manifest: unknown = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    return (manifest as { readonly version: string }).version;
  } catch {
    return 'unknown';
  }
}
