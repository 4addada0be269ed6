/** The files of other hosts as a source for the command line. They are read when a host is named. */
import { hostsNamed } from '../hosts.js';
import type { HookSource } from '../source.js';

const options = {
  'hooks-of': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    help: "Also the hooks that this folder and its user have for another host: gemini, codex, qwen, copilot, or another name that `install --help` lists; 'all': those that were tried.",
  },
} as const;

export const hostSource = {
  options,
  files: [],
  async load({ named, cwd, trust, configDir }) {
    const names = named['hooks-of'] ?? [];
    if (names.length === 0) return [];
    const { loadHostConfig } = await import('./load.js');
    return Promise.all(
      hostsNamed(names).map((host) => loadHostConfig(host, { cwd, trust, home: configDir })),
    );
  },
} satisfies HookSource;
