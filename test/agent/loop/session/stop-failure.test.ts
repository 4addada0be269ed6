import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelError } from '../../../../src/agent/models/port.js';
import type { HookInput } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { kind, start } from '../agents/support.js';
import { prints, useClaudeHooks } from '../support/claude-hooks.js';
import { type LoopSetup, makeLoop, type RanLoop, readRun } from '../support/run-loop.js';
import { story, watchLoop } from './support.js';

watchProcess();

type Failure = HookInput<'StopFailure'>;

async function fail(setup: LoopSetup): Promise<RanLoop & { readonly failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  const made = await makeLoop({
    ...setup,
    prepare: ({ runner }) => runner.on('StopFailure', (input) => void failures.push(input)),
  });
  return { ...made, ...(await readRun(made.loop.run('Go.'))), failures };
}

describe('a failed turn', () => {
  it.each<[ModelError['code'], number | undefined, string]>([
    ['unauthorized', 401, 'authentication_failed'],
    ['rate_limited', 429, 'rate_limit'],
    ['overloaded', 529, 'overloaded'],
    ['bad_request', 400, 'invalid_request'],
    ['bad_request', 404, 'model_not_found'],
    ['bad_request', 402, 'billing_error'],
    ['unavailable', 500, 'server_error'],
    ['broken_stream', undefined, 'server_error'],
    ['script_exhausted', undefined, 'unknown'],
  ])('LO-43: fires StopFailure in the place of Stop: %s %s is %s', async (code, status, word) => {
    const error = { code, message: 'It broke.', ...(status !== undefined && { status }) };
    const { failures, result } = await fail({
      turns: [
        { text: 'I look.', tools: [{ name: 'Glob', input: { pattern: '*' } }] },
        { error, repeat: true },
      ],
    });
    expect(result.terminal_reason).toBe('model_error');
    expect(failures).toEqual([
      expect.objectContaining({
        hook_event_name: 'StopFailure',
        error: word,
        error_details: 'It broke.',
        last_assistant_message: 'I look.',
      }),
    ]);
  });

  it('LO-43: limits count, by their end reason; an interrupt and a turn that a hook ended do not', async () => {
    const looks = { tools: [{ name: 'Glob', input: { pattern: '*' } }], repeat: true };
    const limited = await fail({ turns: [looks], options: { maxTurns: 1 } });
    expect(limited.failures.map(({ error }) => error)).toEqual(['max_turns']);
    const stopped = await fail({
      turns: [looks],
      hooks: { PreToolUse: [{ hooks: [() => ({ continue: false, stopReason: 'enough' })] }] },
    });
    expect([stopped.result.terminal_reason, stopped.failures]).toEqual(['hook_stopped', []]);
    const { loop, failures } = await fail({ turns: [{ text: 'Done.' }, { text: 'Late', delayMs: 60_000 }] });
    const run = loop.run('Wait.');
    await run.next();
    loop.interrupt();
    expect((await readRun(run)).result.terminal_reason).toBe('aborted');
    expect(failures).toEqual([]);
  });

  it('LO-43: of a subagent fires it with the agent in the input; the parent continues', async () => {
    const worker = kind([{ error: { code: 'overloaded', message: 'Busy.' } }]);
    const { failures, result } = await fail({
      turns: [{ tools: [start('worker')] }, { text: 'Then without.' }],
      options: { agents: { worker: worker.definition } },
    });
    expect(result.result).toBe('Then without.');
    expect(failures).toEqual([expect.objectContaining({ error: 'overloaded', agent_type: 'worker' })]);
  });

  it('LO-43: a matcher of a settings file chooses by the error, and the answer has no effect', async () => {
    const { loop, cwd, seen } = await watchLoop({
      turns: [{ error: { code: 'rate_limited', message: 'Slow down.' } }],
      prepare: (made) =>
        useClaudeHooks(
          {
            'StopFailure:rate_limit': [`cat > seen.json; ${prints({ decision: 'block', reason: 'again' })}`],
            'StopFailure:server_error': ['touch wrong'],
          },
          made,
        ),
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.terminal_reason).toBe('model_error');
    expect(story(seen)).not.toContain('Stop');
    expect(JSON.parse(readFileSync(`${cwd}/seen.json`, 'utf8'))).toMatchObject({
      error: 'rate_limit',
      error_details: 'Slow down.',
    });
    expect(readdirSync(cwd)).not.toContain('wrong');
  });
});
