/** One or more calls of a tool that needs permission, and what became of them. */

import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import type { ToolResultBlock } from '../../../../src/agent/models/port.js';
import type { HookConfig } from '../../../../src/index.js';
import { expectValid, type WatchedLoop, watchLoop } from '../session/support.js';
import { type ReadRun, readRun } from '../support/run-loop.js';
import { type TestTools, testTools } from '../support/tools.js';

export interface Changed extends WatchedLoop, ReadRun, Pick<TestTools, 'ran'> {
  /** What the model read of each call, in order. */
  readonly results: readonly ToolResultBlock[];
}

/** The agent calls `Change` with each of the texts, one after another, in answers of their own unless `together`. */
export async function change(
  texts: readonly string[],
  {
    hooks,
    together = false,
    ...options
  }: Partial<Omit<AgentLoopOptions, 'hooks'>> & {
    readonly hooks?: HookConfig;
    readonly together?: boolean;
  } = {},
): Promise<Changed> {
  const { tools, ran } = testTools();
  const calls = texts.map((text) => ({ name: 'Change', id: `use-${text}`, input: { text } }));
  const answers = together ? [{ tools: calls }] : calls.map((call) => ({ tools: [call] }));
  const made = await watchLoop({
    ...(hooks && { hooks }),
    turns: [...answers, { text: 'Done.', repeat: true }],
    options: { tools, ...options },
  });
  const run = await readRun(made.loop.run('Change it.'));
  expectValid(made.requests);
  const said = (await made.loop.conversation()).flatMap(({ content }) => content);
  return { ...made, ...run, ran, results: said.filter((block) => block.type === 'tool_result') };
}

/** A hook on PermissionRequest that always decides so. */
export function decide(decision: object): HookConfig {
  const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
  return { PermissionRequest: [{ hooks: [() => answer as never] }] };
}
