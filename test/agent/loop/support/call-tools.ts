/** The calls of a scripted agent, one after another, in a workspace with some files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { textOf, type WatchedLoop, watchLoop } from '../session/support.js';
import { type LoopSetup, makePlaces, type ReadRun, readRun } from './run-loop.js';

interface Setup extends Pick<LoopSetup, 'hooks' | 'prepare'> {
  readonly options?: Partial<AgentLoopOptions>;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Called extends WatchedLoop, ReadRun {
  /** What the model read of each call. */
  readonly results: readonly string[];
  readonly home: string;
}

/** The agent makes the calls one after another; everything is allowed unless the options say otherwise. */
export async function callTools(
  uses: readonly (readonly [name: string, input: object])[],
  { files = {}, options, ...setup }: Setup = {},
): Promise<Called> {
  const home = makePlaces().cwd;
  const made = await watchLoop({
    ...setup,
    turns: [...uses.map(([name, input]) => ({ tools: [{ name, input }] })), { text: 'Done.' }],
    prepare: async (about) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(join(about.cwd, dirname(name)), { recursive: true });
        writeFileSync(join(about.cwd, name), content);
      }
      await setup.prepare?.(about);
    },
    options: { ...options, permissions: { mode: 'bypassPermissions', home, ...options?.permissions } },
  });
  const run = await readRun(made.loop.run('Begin.'));
  const messages = made.requests.at(-1)?.messages ?? [];
  const results = messages.filter(({ role }) => role === 'user').slice(1);
  return { ...made, ...run, home, results: results.map(textOf) };
}
