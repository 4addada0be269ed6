import { afterEach, describe, expect, it } from 'vitest';
import { allow, ask, context, deny, Runner, rewrite } from '../../src/index.js';

const runner = new Runner();
const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: '1' };
let dispose = (): void => {};
afterEach(() => dispose());

describe('answers written out', () => {
  it.each([
    [deny('not here'), { decision: 'deny', reason: 'not here' }],
    [allow(), { decision: 'allow' }],
    [allow('it only reads'), { decision: 'allow', reason: 'it only reads' }],
    [ask('are you sure?'), { decision: 'ask', reason: 'are you sure?' }],
    [rewrite({ command: 'ls -a' }), { updatedInput: { command: 'ls -a' } }],
    [context('PreToolUse', 'be brief'), { additionalContext: ['be brief'] }],
  ])('ME-1 %o comes to what it says', async (answer, outcome) => {
    dispose = runner.on('PreToolUse', () => answer);
    expect(await runner.fire('PreToolUse', call)).toMatchObject({ ...outcome, failures: [] });
  });

  it('ME-1 are typed by their event', () => {
    // @ts-expect-error this event takes no context
    context('SessionEnd', 'too late');
    // @ts-expect-error an answer of another event
    dispose = runner.on('Stop', () => context('PreToolUse', 'x'));
    runner.on('Stop', () => deny('go on'))();
  });
});
