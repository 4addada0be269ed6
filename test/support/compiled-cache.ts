/**
 * Where the command keeps what V8 has compiled, for calls with a home of their own: with a cache of its own each would
 * compile everything anew. The cache itself is tested in test/cli/compiled-code.test.ts.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const COMPILED_CACHE: string = fileURLToPath(
  new URL('../../node_modules/.cache/hookline-compiled', import.meta.url),
);
mkdirSync(COMPILED_CACHE, { recursive: true, mode: 0o700 });
