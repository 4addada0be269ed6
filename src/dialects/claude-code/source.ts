/** Claude settings files and plugins as a source for the command line. */
import { join } from 'node:path';
import { isHooklineFile } from '../hookline/source.js';
import type { HookSource } from '../source.js';

const options = {
  settings: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also the hooks of this file: Claude settings (.json), or a hookline file (hookline.json, .yaml, .mjs). Naming it is approving it.',
  },
  plugin: { type: 'string', multiple: true, value: 'DIR', help: 'Also the hooks of this plugin.' },
} as const;

export const claudeCodeSource = {
  options,
  isLive: true,
  files: [join('.claude', 'settings.json'), join('.claude', 'settings.local.json')],
  async load({ named, ...request }) {
    const { loadClaudeSettings } = await import('./settings/load.js');
    const { settings = [], plugin = [] } = named;
    const files = settings.filter((file) => !isHooklineFile(file));
    return [await loadClaudeSettings({ ...request, files, plugins: plugin })];
  },
  async check(config) {
    const { checkSettings } = await import('./check-settings.js');
    return checkSettings(config);
  },
} satisfies HookSource;
