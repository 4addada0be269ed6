/** hookline's own files as a source for the command line. */
import { basename, extname } from 'node:path';
import type { HookSource } from '../source.js';
import { HOOKLINE_FILES } from './file-names.js';

/** Whether a file named with --settings is one of hookline's own. */
export function isHooklineFile(file: string): boolean {
  return extname(file) !== '.json' || basename(file) === 'hookline.json';
}

export const hooklineSource = {
  // Its files are named with --settings.
  options: {},
  files: HOOKLINE_FILES,
  async load({ named, ...request }) {
    const { loadHooklineConfig } = await import('./file/load.js');
    return [await loadHooklineConfig({ ...request, files: named['settings']?.filter(isHooklineFile) })];
  },
} satisfies HookSource;
