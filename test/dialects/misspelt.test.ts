/** Keys of answers that are nearly right: a guard must not be lost over a letter. */
import { describe, expect, it } from 'vitest';
import { isTypo } from '../../src/base/text/typo.js';
import { claudeCode } from '../../src/dialects/claude-code/index.js';
import { hookline } from '../../src/dialects/hookline/index.js';
import type { HookEvent } from '../../src/events/types.js';
import type { Verdict } from '../../src/handlers/verdict.js';
import { processorMs } from '../support/processor-time.js';
import { bash, makeRunner, untyped } from '../support/runner.js';

const DIALECTS = [hookline, claudeCode];
const specific = (fields: object, event: HookEvent = 'PreToolUse') => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});

/** The same answer, returned by a callback and printed by a command, in both dialects. */
function readings(event: HookEvent, answer: object): Verdict[] {
  const stdout = JSON.stringify(answer);
  return DIALECTS.flatMap((dialect) => [
    dialect.interpret(event, { kind: 'returned', output: answer }, {}),
    dialect.interpret(event, { kind: 'exited', exitCode: 0, signal: undefined, stdout, stderr: '' }, {}),
  ]);
}

describe('a misspelt key', () => {
  const misspelt: readonly [HookEvent, object, string][] = [
    ['PreToolUse', specific({ permissionDecison: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ permisionDecision: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ premissionDecision: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ permission_decision: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ PermissionDecision: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ permissiondecision: 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ 'permission-decison': 'deny' }), 'hookSpecificOutput.permissionDecision'],
    ['PreToolUse', specific({ updatedInputs: {} }), 'hookSpecificOutput.updatedInput'],
    ['PreToolUse', specific({ updated_input: {} }), 'hookSpecificOutput.updatedInput'],
    [
      'PostToolUse',
      specific({ updatedToolOutpt: '' }, 'PostToolUse'),
      'hookSpecificOutput.updatedToolOutput',
    ],
    ['Stop', { descision: 'block' }, 'decision'],
    ['Stop', { Decision: 'block' }, 'decision'],
    ['Stop', { decisions: 'block' }, 'decision'],
    ['Stop', { reasons: 'no tests' }, 'reason'],
    ['Stop', { contineu: false }, 'continue'],
    ['Stop', { stop_reason: 'enough' }, 'stopReason'],
    ['Stop', { system_message: 'psst' }, 'systemMessage'],
    ['PreToolUse', { hook_specific_output: {} }, 'hookSpecificOutput'],
    ['PreToolUse', { hookSpecificOuput: {} }, 'hookSpecificOutput'],
    ['PreToolUse', { Async: true }, 'async'],
    [
      'PreToolUse',
      { hookSpecificOutput: { hookEventNam: 'PreToolUse' } },
      'hookSpecificOutput.hookEventName',
    ],
    [
      'PermissionRequest',
      specific({ decision: { behavior: 'allow', updatedinput: {} } }, 'PermissionRequest'),
      'hookSpecificOutput.decision.updatedInput',
    ],
    [
      'PermissionRequest',
      specific({ decision: { behaviour: 'deny' } }, 'PermissionRequest'),
      'hookSpecificOutput.decision.behavior',
    ],
  ];

  it.each(misspelt)('FA-11 is a failure that names the right one: %s %j', (event, answer, meant) => {
    for (const verdict of readings(event, answer)) {
      expect(verdict).toMatchObject({ outcome: 'error', failure: { kind: 'invalid-output' } });
      expect(verdict.failure?.message).toContain(`did you mean \`${meant}\`?`);
    }
  });

  it('FA-11 makes a guard that is set to block refuse', async () => {
    const { runner } = makeRunner();
    const misspelled = specific({ permissionDecison: 'deny' });
    untyped(runner).on('PreToolUse', { onFailure: 'block', name: 'guard' }, () => misspelled);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', failures: [{ blocked: true }] });
    expect(outcome.reason).toMatch(/guard failed and is set to block: .*did you mean/);
  });

  it('FA-11 does not undo what the rest of the answer refuses, and permits nothing', () => {
    for (const verdict of readings('Stop', { decision: 'block', reasn: 'no tests' }))
      expect(verdict).toMatchObject({ decision: 'deny', failure: { kind: 'invalid-output' } });
    const asks = specific({ permissionDecision: 'ask', permissionDecisionReason: 'sure?', updatedinput: {} });
    for (const verdict of readings('PreToolUse', asks))
      expect(verdict).toMatchObject({ decision: 'ask', reason: 'sure?', failure: {} });
    for (const verdict of readings('PreToolUse', { continue: false, stopReason: 'enough', reasons: 'x' }))
      expect(verdict).toMatchObject({ continue: false, stopReason: 'enough', failure: {} });
    const allows = specific({ permissionDecision: 'allow', updatedinput: { command: 'ls' } });
    for (const verdict of readings('PreToolUse', allows)) {
      expect(verdict).toMatchObject({ outcome: 'error', failure: {} });
      expect(verdict.decision).toBeUndefined();
    }
  });

  it('FA-11 FA-4 what a hook says when it asks is not the reason of the refusal that its failure is', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    untyped(runner).on('PreToolUse', () =>
      specific({ permissionDecision: 'ask', permissionDecisionReason: 'sure?', updatedinput: {} }),
    );
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason).toContain('did you mean');
  });

  it('FA-11 is only noted where the right one is there too', () => {
    for (const verdict of readings('Stop', { decision: 'block', reason: 'no', reasons: ['no'] })) {
      expect(verdict).toMatchObject({ outcome: 'success', decision: 'deny', reason: 'no' });
      expect(verdict.notes).toEqual(['unknown key `reasons` is ignored']);
    }
  });

  it('FA-8 another word is only noted, as public hooks print many', () => {
    const keys = [
      'blocking',
      'feedback',
      'message',
      'messages',
      'status',
      'success',
      'ok',
      'error',
      'results',
    ];
    keys.push('output', 'action', 'type', 'additional_context', 'user_message', 'permission', 'sync');
    keys.push(
      'hookEventName',
      'hook_event_name',
      'sessionTitle',
      'watchPaths',
      'terminalSequence',
      'metadata',
    );
    for (const event of ['PreToolUse', 'PostToolUse', 'Stop', 'SessionStart'] as const) {
      const answer = Object.fromEntries(keys.map((key) => [key, 'x']));
      for (const verdict of readings(event, answer)) {
        expect(verdict.failure, event).toBeUndefined();
        expect(verdict.notes).toHaveLength(keys.length);
      }
    }
  });

  it('FA-11 takes no longer with a hundred thousand keys than reading them does', () => {
    const answer = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`permissionDecisi${i.toString(36)}`, 1]),
    );
    const started = processorMs();
    expect(hookline.interpret('PreToolUse', { kind: 'returned', output: answer }, {}).notes).toHaveLength(
      100_000,
    );
    expect(processorMs() - started).toBeLessThan(5000);
  });
});

describe('a decision in the wrong place', () => {
  it.each([
    ['PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }],
    ['PreToolUse', { permission_decision: 'deny' }],
    ['PreToolUse', specific({ decision: 'block' })],
    ['PreToolUse', { behavior: 'deny', message: 'no' }],
    ['PermissionRequest', { permissionDecision: 'deny' }],
    ['Stop', specific({ decision: 'block' }, 'Stop')],
    ['UserPromptSubmit', specific({ permissionDecision: 'deny' }, 'UserPromptSubmit')],
  ] as const)('FA-12 is a failure that says where it belongs: %s %j', (event, answer) => {
    for (const verdict of readings(event, answer)) {
      expect(verdict.failure?.message).toMatch(/decides nothing on \w+; did you mean `[\w.]+`\?/);
    }
  });

  it('FA-12 is only noted where the answer decides anyway, or nothing can be prevented', () => {
    const both = { permissionDecision: 'deny', ...specific({ permissionDecision: 'deny' }) };
    for (const verdict of readings('PreToolUse', both))
      expect(verdict).toMatchObject({ outcome: 'success', decision: 'deny' });
    for (const verdict of readings('PostToolUse', { permissionDecision: 'deny' }))
      expect(verdict.outcome).toBe('success');
  });
});

describe('a refusal under an unknown key', () => {
  const refusals: readonly [HookEvent, object][] = [
    ['PreToolUse', { desicion: 'block' }],
    ['PreToolUse', { action: 'deny' }],
    ['PreToolUse', { status: 'blocked' }],
    ['PreToolUse', { deny: true }],
    ['PreToolUse', { block: 'not this one' }],
    ['PreToolUse', { allow: false }],
    ['PreToolUse', specific({ permission: 'deny' })],
    ['PreToolUse', specific({ permDecision: 'deny' })],
    ['PreToolUse', { hookSpecific: { permissionDecision: 'deny' } }],
    ['PreToolUse', { output: specific({ permissionDecision: 'deny' }) }],
    ['PreToolUse', specific({ PreToolUse: { permissionDecision: 'deny' } })],
    ['PermissionRequest', { output: specific({ decision: { behavior: 'deny' } }, 'PermissionRequest') }],
    ['Stop', { result_of_check: { decision: 'block' } }],
    ['UserPromptSubmit', { blocked: true }],
    ['PreToolUse', { result: { decision: 'block' } }],
    ['PreToolUse', { data: { continue: false } }],
    ['PreToolUse', { outputs: [{ decision: 'block' }] }],
  ];

  it.each(refusals)('FA-12 is a failure that says where it belongs: %s %j', (event, answer) => {
    for (const verdict of readings(event, answer)) {
      expect(verdict).toMatchObject({ outcome: 'error', failure: { kind: 'invalid-output' } });
      expect(verdict.failure?.message).toMatch(/decides nothing on \w+; did you mean `[\w.]+`\?/);
    }
  });

  it('FA-12 also where the rest of the answer allows, not where it refuses', () => {
    const allows = specific({ permissionDecision: 'allow' });
    for (const verdict of readings('PreToolUse', { ...allows, action: 'deny' })) {
      expect(verdict.failure).toBeDefined();
      expect(verdict.decision).toBeUndefined();
    }
    for (const verdict of readings('PreToolUse', { ...allows, permissionDecision: 'allow', allowed: true }))
      expect(verdict).toMatchObject({ outcome: 'success', decision: 'allow' });
    for (const verdict of readings('PreToolUse', { decision: 'block', action: 'block', blocked: true }))
      expect(verdict).toMatchObject({ outcome: 'success', decision: 'deny' });
  });

  it('FA-12 a rewritten input in the wrong place is one too, also beside an allow', () => {
    const allows = specific({ permissionDecision: 'allow' });
    for (const answer of [{ updatedInput: {} }, { ...allows, updatedInput: {} }, { updated_input: {} }])
      for (const verdict of readings('PreToolUse', answer)) {
        expect(verdict.failure?.message).toContain('did you mean `hookSpecificOutput.updatedInput`?');
        expect(verdict.decision).toBeUndefined();
      }
    const inside = specific({ updatedInput: {}, decision: { behavior: 'allow' } }, 'PermissionRequest');
    for (const verdict of readings('PermissionRequest', inside))
      expect(verdict.failure?.message).toContain('did you mean `hookSpecificOutput.decision.updatedInput`?');
  });

  it('FA-12 is only noted where it says nothing of the kind, or nothing can be prevented', () => {
    const said = { allow: true, deny: false, block: null, status: 'ok', details: { decision: 'allow' } };
    for (const verdict of readings('PreToolUse', said)) expect(verdict.outcome).toBe('success');
    for (const verdict of readings('PostToolUse', { action: 'deny' }))
      expect(verdict.outcome).toBe('success');
  });
});

describe('a slip', () => {
  it('FA-11 is one letter more, less, other or swapped, or another way of writing', () => {
    for (const word of ['decisio', 'decisionn', 'decisiom', 'deicsion', 'DECISION', 'de_cision', 'ecision'])
      expect(isTypo(word, 'decision'), word).toBe(true);
  });

  it('FA-11 is no other word, and not the word itself', () => {
    for (const word of ['decision', 'decide', 'decisive', 'dceisoin', '', 'x'.repeat(1_000_000)])
      expect(isTypo(word, 'decision'), word.slice(0, 20)).toBe(false);
    expect(isTypo('sync', 'async')).toBe(false);
    expect(isTypo('Async', 'async')).toBe(true);
  });
});
