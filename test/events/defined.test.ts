import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  ALL_EVENTS,
  command,
  defineEvent,
  HOOK_EVENTS,
  loadHooklineConfig,
  Runner,
} from '../../src/index.js';
import { sampleInput } from '../../src/testing/samples.js';

const PreDeploy = defineEvent({
  input: { environment: z.string(), version: z.string().optional() },
  answer: { ticket: z.string().optional() },
  matcherField: 'environment',
  blocks: true,
});

const runners: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.dispose();
});
const open = () => {
  const runner = new Runner({ events: { PreDeploy }, cwd: tmpdir() });
  runners.push(runner);
  return runner;
};

describe('an event of the application', () => {
  it('EV-11 runs callbacks whose matcher fits, and obeys what they answer', async () => {
    const runner = open();
    runner.on('PreDeploy', { matcher: 'production' }, (input) => {
      expectTypeOf(input.environment).toBeString();
      expectTypeOf(input.hook_event_name).toEqualTypeOf<'PreDeploy'>();
      return { decision: 'block', reason: `not to ${input.environment}` };
    });
    expect(await runner.fire('PreDeploy', { environment: 'production' })).toMatchObject({
      event: 'PreDeploy',
      decision: 'deny',
      reason: 'not to production',
    });
    expect(await runner.fire('PreDeploy', { environment: 'staging' })).toMatchObject({ results: [] });
  });

  it('EV-11 is typed like a built-in one', () => {
    const runner = open();
    // @ts-expect-error the input lacks a field
    runner.fire('PreDeploy', {}).catch(() => {});
    // @ts-expect-error there is no such event
    expect(() => runner.on('PreDeplox', () => {})).toThrow('Did you mean PreDeploy?');
    // @ts-expect-error the answer has no such value
    runner.on('PreDeploy', () => ({ decision: 'perhaps' }));
    runner.on('PreDeploy', () => ({ hookSpecificOutput: { hookEventName: 'PreDeploy', ticket: 'T-1' } }));
  });

  it('EV-11 refuses an input that does not fit', async () => {
    const runner = open();
    runner.on('PreDeploy', () => {});
    await expect(runner.fire('PreDeploy', { environment: 5 as never })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('`environment`'),
    });
  });

  it('EV-11 reads answers by its own fields: what does not fit is a failure', async () => {
    const runner = open();
    runner.on(
      'PreDeploy',
      () => ({ hookSpecificOutput: { hookEventName: 'PreDeploy', ticket: 5 } }) as never,
    );
    const { failures } = await runner.fire('PreDeploy', { environment: 'x' });
    expect(failures).toMatchObject([{ kind: 'invalid-output', message: expect.stringContaining('ticket') }]);
  });

  it('EV-11 runs shell hooks, for the runner and for one agent, and sends messages', async () => {
    const runner = open();
    const messages: string[] = [];
    runner.messages.on('message', ({ subtype, hook_event }) => messages.push(`${subtype} ${hook_event}`));
    runner.forAgent('ada').on('PreDeploy', command('grep -q production && exit 2 || exit 0'));
    expect(await runner.fire('PreDeploy', { environment: 'production' })).toMatchObject({ results: [] });
    expect(await runner.forAgent('ada').fire('PreDeploy', { environment: 'production' })).toMatchObject({
      decision: 'deny',
    });
    expect(messages).toEqual(['hook_started PreDeploy', 'hook_response PreDeploy']);
  });

  it('EV-11 is explained', () => {
    const runner = open();
    runner.on('PreDeploy', { matcher: 'production', name: 'freeze' }, () => {});
    const names = (environment: string): unknown[] =>
      runner.explain('PreDeploy', { environment }).hooks.map(({ name, runs }) => [name, runs]);
    expect(names('production')).toEqual([['freeze', true]]);
    expect(names('staging')).toEqual([['freeze', false]]);
  });

  it('EV-11 has a sample input that fits', () => {
    expect(sampleInput('PreDeploy' as never, '/w')).toMatchObject({
      hook_event_name: 'PreDeploy',
      environment: 'sample',
    });
  });

  it('EV-11 can be used in files, and defined by a module', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'defined-'));
    try {
      open();
      writeFileSync(
        join(folder, 'a.yaml'),
        'hooks:\n  PreDeploy:\n    - hooks: [{ type: command, command: exit 2 }]\n',
      );
      writeFileSync(
        join(folder, 'b.mjs'),
        `const row = { input: {}, answer: {}, matcherField: null, moment: 'other', blocks: 'action', plainText: 'nothing',
           late: 'nothing', setsEnvironment: false, rewrites: {} };
         export const events = { PreRelease: row };
         export default { PreRelease: [{ hooks: [() => ({ decision: 'block', reason: 'from the module' })] }] };`,
      );
      const config = await loadHooklineConfig({
        cwd: folder,
        configDir: folder,
        files: [join(folder, 'a.yaml'), join(folder, 'b.mjs')],
      });
      expect(config.diagnostics).toEqual([]);
      const runner = open();
      runner.use(config);
      expect(await runner.fire('PreDeploy', { environment: 'x' })).toMatchObject({ decision: 'deny' });
      expect(await runner.fire('PreRelease' as never, {} as never)).toMatchObject({
        reason: 'from the module',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the names of events', () => {
  it('EV-10 the fifteen stay fifteen, and all of them come first among all', () => {
    expect(HOOK_EVENTS).toHaveLength(15);
    expect(ALL_EVENTS.slice(0, 15)).toEqual(HOOK_EVENTS);
    expect(ALL_EVENTS).toContain('PostCompact');
  });

  it('EV-10 hooks run for the further events as for any other', async () => {
    const runner = new Runner();
    runners.push(runner);
    runner.on('PostCompact', { matcher: 'auto' }, ({ compact_summary }) => ({
      systemMessage: compact_summary,
    }));
    expect(await runner.fire('PostCompact', { trigger: 'auto', compact_summary: 'short' })).toMatchObject({
      systemMessages: ['short'],
    });
  });

  it('EV-12 the same definition may come twice, also as another object', () => {
    const again = defineEvent({
      input: { environment: z.string(), version: z.string().optional() },
      answer: { ticket: z.string().optional() },
      matcherField: 'environment',
      blocks: true,
    });
    open();
    expect(() => runners.push(new Runner({ events: { PreDeploy: again } }))).not.toThrow();
  });

  it.each([
    ['PreDeploy', defineEvent({ input: { other: z.number() } }), 'is defined twice in this process'],
    ['PreToolUse', defineEvent({ input: {} }), 'exists already'],
    ['PostCompact', defineEvent({ input: {} }), 'exists already'],
    ['pre deploy', defineEvent({ input: {} }), 'letters, digits and _'],
    ['__proto__x', defineEvent({ input: {} }), 'letters, digits and _'],
    ['Nothing', undefined, 'make one with defineEvent'],
  ])('EV-12 %s cannot be defined so', (name, definition, message) => {
    open();
    expect(() => new Runner({ events: { [name]: definition } as never })).toThrow(message);
  });

  it('EV-13 a word that only describes may be new', async () => {
    const runner = new Runner();
    runners.push(runner);
    const seen: string[] = [];
    runner.on('SessionStart', ({ source }) => {
      seen.push(source);
    });
    await runner.fire('SessionStart', { source: 'fork' });
    await expect(runner.fire('SessionStart', { source: 7 as never })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(seen).toEqual(['fork']);
  });
});
