/** Keeps compiled code for the next call, where Node can: from 22.1 on. */
import module from 'node:module';
import { join } from 'node:path';
import { userDirectory } from '../base/files/text-file.js';

/**
 * In the user's own folder, not in Node's default under the temporary directory: what is in it is run. Never throws: it
 * only saves time.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  try {
    enableCompileCache?.(join(userDirectory(process.env['XDG_CACHE_HOME'], '.cache'), 'hookline'));
  } catch {
    // There is no home.
  }
}
