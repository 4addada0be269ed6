/** The version of this package, as transcripts name it. */
import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const VERSION = (manifest as { readonly version: string }).version;
