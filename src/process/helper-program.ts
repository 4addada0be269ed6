/** How Node is started to be the spawn helper. In what is built this file has the helper's program itself, as text. */

import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** In a checkout the program is TypeScript, which Node reads only with `tsx`. */
export function helperArguments(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--import', tsx, fileURLToPath(new URL('./helper-main.ts', import.meta.url))];
}
