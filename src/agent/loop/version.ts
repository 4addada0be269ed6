/** The version of this package, for transcripts. */
import { readFileSync } from 'node:fs';

export const VERSION = readVersion();

/** A bundled application has no package.json next to the code; only transcripts use the version. */
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
