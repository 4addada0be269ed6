/** MassGen configurations as a source for the command line. */
import type { HookSource } from '../source.js';

const options = {
  massgen: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also the hooks of this MassGen configuration. Naming it is approving it.',
  },
} as const;

export const massgenSource = {
  options,
  files: [],
  async load({ named }) {
    const { massgen = [] } = named;
    if (massgen.length === 0) return [];
    const { loadMassgenConfig } = await import('./load.js');
    return Promise.all(massgen.map((file) => loadMassgenConfig(file)));
  },
} satisfies HookSource;
