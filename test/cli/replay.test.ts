/** Recordings: what a session fired, and what today's hooks would decide. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HookRunner, NoopRunner, Runner } from '../../src/index.js';
import type { RecordedFire } from '../../src/testing/recording/entry.js';
import { type RecorderOptions, recordFires } from '../../src/testing/recording/recorder.js';
import { bash, refusalOf } from '../support/runner.js';
import { answering, denying, type Folder, folder, hooklineFile } from './support.js';

const TRUST = '--trust-workspace';

const linesOf = (file: string): RecordedFire[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

function recorderIn(where: Folder, runner: HookRunner, options?: RecorderOptions) {
  const file = join(where.workspace, 'session.jsonl');
  return { file, recorder: recordFires(runner, file, options) };
}

describe('recordFires', () => {
  it('CL-37 answers as the runner does, and writes one line for each fire', async () => {
    const where = folder();
    const runner = new Runner({ cwd: where.workspace });
    onTestFinished(() => runner.dispose());
    runner.on('PreToolUse', ({ tool_input }) => {
      const { command } = tool_input as { command: string };
      return command === 'ls' ? { systemMessage: 'fine' } : { decision: 'block', reason: 'no' };
    });
    const { file, recorder } = recorderIn(where, runner);
    const outcome = await recorder.fire('PreToolUse', bash('rm'), { agentId: 'ada' });
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'no', results: [{ decision: 'deny' }] });
    await recorder.fire('PreToolUse', bash('ls'));
    await recorder.close();
    expect(linesOf(file)).toMatchObject([
      {
        version: 1,
        event: 'PreToolUse',
        input: bash('rm'),
        agentId: 'ada',
        durationMs: expect.any(Number),
        outcome: { decision: 'deny', reason: 'no', failures: [] },
      },
      { input: bash('ls'), outcome: { systemMessages: ['fine'], additionalContext: [] } },
    ]);
    expect(linesOf(file)[1]?.outcome).not.toHaveProperty('decision');
  });

  it('CL-37 appends, and only this user can read the file', async () => {
    const where = folder();
    for (let i = 0; i < 2; i++) {
      const { recorder } = recorderIn(where, new NoopRunner());
      await recorder.fire('Stop', { stop_hook_active: false });
      await recorder.close();
    }
    const file = join(where.workspace, 'session.jsonl');
    expect(linesOf(file)).toHaveLength(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('CL-37 many large fires at once give whole lines', async () => {
    const where = folder();
    const { file, recorder } = recorderIn(where, new NoopRunner());
    const prompts = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(1_500_000));
    await Promise.all(prompts.map((prompt) => recorder.fire('UserPromptSubmit', { prompt })));
    await recorder.close();
    expect(
      linesOf(file).map(({ input }) => input['prompt'] === prompts[Number(String(input['prompt'])[0])]),
    ).toEqual(prompts.map(() => true));
  });

  it('CL-37 a recording that cannot be written changes no fire, and is reported at the end', async () => {
    const where = folder();
    const recorder = recordFires(new NoopRunner(), join(where.workspace, 'missing', 'x.jsonl'));
    expect(await recorder.fire('Stop', { stop_hook_active: false })).toMatchObject({ event: 'Stop' });
    const error = await refusalOf(() => recorder.close());
    expect(error.message).toMatch(/The recording .*x\.jsonl" cannot be written: ENOENT/);
    const told: unknown[] = [];
    const onError = (reason: unknown): never => {
      told.push(reason);
      throw new Error('listener');
    };
    const other = recordFires(new NoopRunner(), join(where.workspace, 'missing', 'x.jsonl'), { onError });
    await other.fire('Stop', { stop_hook_active: false });
    await other.close();
    expect(told).toHaveLength(1);
  });

  it('CL-37 a refused fire is refused, and not recorded', async () => {
    const where = folder();
    const runner = new Runner();
    await runner.dispose();
    const { recorder } = recorderIn(where, runner);
    expect((await refusalOf(() => recorder.fire('PreToolUse', bash()))).code).toBe('disposed');
    await recorder.close();
  });
});

describe('record', () => {
  it('CL-38 appends the input on stdin, prints nothing, and can be replayed', async () => {
    const { call, write, workspace } = folder();
    const input = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: '',
      cwd: '/gone',
      ...bash('rm'),
    };
    const { code, out, err } = await call(['record', 'session.jsonl'], { stdin: JSON.stringify(input) });
    expect([code, out, err]).toEqual([0, '', '']);
    expect(linesOf(join(workspace, 'session.jsonl'))).toMatchObject([
      { version: 1, event: 'PreToolUse', input },
    ]);
    write('hookline.yaml', hooklineFile('PreToolUse', denying('no')));
    const replayed = await call(['replay', 'session.jsonl', TRUST]);
    expect(replayed.out).toContain('PreToolUse Bash  new: denied');
    expect(replayed.out).toContain('1 fire: 1 new.');
    expect(replayed.code).toBe(0);
  });

  it.each([
    ['no JSON', 'Standard input is not the input of a hook: it is text'],
    ['', 'Standard input is not the input of a hook: it is empty.'],
    ['{}', 'The input has no `hook_event_name`'],
  ])('CL-38 refuses %j', async (stdin, sentence) => {
    const { code, err } = await folder().call(['record', 'x.jsonl'], { stdin });
    expect(err).toContain(sentence);
    expect(code).toBe(64);
  });

  it('CL-38 says so when it cannot write', async () => {
    const stdin = JSON.stringify({ hook_event_name: 'Stop' });
    const { code, err } = await folder().call(['record', 'missing/x.jsonl'], { stdin });
    expect(err).toContain('The recording "missing/x.jsonl" cannot be written');
    expect(code).toBe(64);
  });
});

describe('replay', () => {
  /** A recording of three fires, made with the hooks that deny `rm`. */
  async function recorded(): Promise<Folder> {
    const where = folder();
    where.write(
      'guard.sh',
      `#!/bin/sh\nif grep -q '"rm'; then echo 'rm is not for agents' >&2; exit 2; fi\n`,
    );
    where.write('hookline.yaml', hooklineFile('PreToolUse', './guard.sh'));
    for (const line of ['ls', 'rm -r x', 'date']) {
      const argv = ['--set', `tool_input.command=${line}`, '--record', 'session.jsonl', TRUST];
      await where.call(['fire', 'PreToolUse', ...argv]);
    }
    return where;
  }

  it('CL-39 finds nothing where nothing has changed', async () => {
    const where = await recorded();
    const { code, out } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect([code, out]).toEqual([0, '3 fires: 3 same.\n']);
    const all = await where.call(['replay', 'session.jsonl', TRUST, '--all']);
    expect(all.out).toContain('   2  PreToolUse Bash  same: denied');
  });

  it('CL-39 shows what would now be decided differently', async () => {
    const where = await recorded();
    where.write('guard.sh', `#!/bin/sh\nif grep -q '"date'; then echo 'no dates' >&2; exit 2; fi\n`);
    const { code, out } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(code).toBe(1);
    expect(out).toBe(`   2  PreToolUse Bash  decided differently: no opinion
        decision:           was "deny"
                            now nothing
        reason:             was "rm is not for agents"
                            now nothing
   3  PreToolUse Bash  decided differently: denied
        decision:           was nothing
                            now "deny"
        reason:             was nothing
                            now "no dates"
3 fires: 1 same, 2 decided differently.
`);
    const { json } = await where.call(['replay', 'session.jsonl', TRUST, '--json']);
    const results = [
      { line: 1, state: 'same', decided: [], worded: [] },
      { line: 2, state: 'decided differently', decided: [{ field: 'decision', was: 'deny' }] },
      { line: 3, state: 'decided differently', decided: [{ field: 'decision', now: 'deny' }] },
    ];
    expect(json()).toMatchObject({ complete: true, results });
  });

  it('CL-39 tells what is only worded differently from that', async () => {
    const where = await recorded();
    where.write('guard.sh', `#!/bin/sh\nif grep -q '"rm'; then echo 'ask a person' >&2; exit 2; fi\n`);
    const { code, out } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(out).toContain('2  PreToolUse Bash  worded differently: denied');
    expect(out).toContain('3 fires: 2 same, 1 worded differently.');
    expect(code).toBe(0);
  });

  it('CL-39 compares rewritten inputs whatever the order of their keys', async () => {
    const where = folder();
    const rewrite = (input: object) =>
      answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: input } });
    where.write('hookline.yaml', hooklineFile('PreToolUse', rewrite({ a: 1, b: 2 })));
    await where.call(['fire', 'PreToolUse', '--record', 'session.jsonl', TRUST]);
    where.write('hookline.yaml', hooklineFile('PreToolUse', rewrite({ b: 2, a: 1 })));
    expect((await where.call(['replay', 'session.jsonl', TRUST])).code).toBe(0);
    where.write('hookline.yaml', hooklineFile('PreToolUse', rewrite({ b: 2, a: 3 })));
    expect((await where.call(['replay', 'session.jsonl', TRUST])).code).toBe(1);
  });

  it('CL-39 what is very long is cut, and --json shows it', async () => {
    const where = await recorded();
    where.write('guard.sh', `#!/bin/sh\nprintf '%05000d' 7 >&2; exit 2\n`);
    const { out } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(out).toMatch(/now "0{499}\.\.\. \(\d+ more characters; --json shows them\)$/m);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(700);
    expect((await where.call(['replay', 'session.jsonl', TRUST, '--json'])).out).toContain('0'.repeat(4999));
  });

  it('CL-39 --out records today’s outcomes', async () => {
    const where = await recorded();
    where.write('guard.sh', '#!/bin/sh\nexit 0\n');
    await where.call(['replay', 'session.jsonl', TRUST, '--out', 'today.jsonl']);
    expect((await where.call(['replay', 'today.jsonl', TRUST])).out).toBe('3 fires: 3 same.\n');
  });

  it('CL-40 lines that cannot be used are named and left out', async () => {
    const where = await recorded();
    const whole = readFileSync(join(where.workspace, 'session.jsonl'), 'utf8');
    const strange = JSON.stringify({ version: 1, at: '', event: 'NoSuchEvent', input: {} });
    where.write('session.jsonl', `{"version":2}\n${strange}\n\n${whole}{"version":1,"at":`);
    const { code, out, err } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(err).toMatch(/session\.jsonl:1: This is not a recorded fire: .* It is skipped\./);
    expect(err).toContain(
      'session.jsonl:2: "NoSuchEvent" is not an event that is fired here. It is skipped.',
    );
    expect(err).toContain(
      'session.jsonl:7: This is not valid JSON; the recording may have been cut off here.',
    );
    expect(out).toBe('3 fires: 3 same. 3 lines were left out.\n');
    expect(code).toBe(1);
    where.write('broken.jsonl', 'x\n');
    const nothing = await where.call(['replay', 'broken.jsonl', TRUST]);
    expect(nothing.out).toBe('0 fires: nothing to fire. 1 line was left out.\n');
    expect(nothing.code).toBe(1);
  });

  it('CL-34 nothing is fired while hooks are not trusted, or a file with hooks is broken', async () => {
    const where = await recorded();
    const untrusted = await where.call(['replay', 'session.jsonl']);
    expect(untrusted.err).toContain('Nothing was fired: without these hooks it would prove nothing.');
    expect([untrusted.code, untrusted.out]).toEqual([1, '']);
    const forPrograms = await where.call(['replay', 'session.jsonl', '--json']);
    expect(forPrograms.json()).toMatchObject({
      complete: false,
      results: [],
      inactive: [{ reason: 'untrusted' }],
    });
    expect(forPrograms.code).toBe(1);
    where.write('.claude/settings.json', '{bad');
    const broken = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(broken.err).toContain('.claude/settings.json:1:2: The file cannot be read');
    expect(broken.err).toContain(
      'Nothing was fired: while a hook file cannot be read it would prove nothing.',
    );
    expect([broken.code, broken.out]).toEqual([1, '']);
  });

  it('CL-40 an input that no longer fits is told, and the others are fired', async () => {
    const where = await recorded();
    const whole = readFileSync(join(where.workspace, 'session.jsonl'), 'utf8');
    const odd = JSON.stringify({ version: 1, at: '', event: 'PreToolUse', input: { tool_name: 5 } });
    where.write('session.jsonl', `${odd}\n${whole}`);
    const { code, out } = await where.call(['replay', 'session.jsonl', TRUST]);
    expect(out).toContain('1  PreToolUse 5  not fired: The input of PreToolUse does not fit');
    expect(out).toContain('4 fires: 3 same, 1 not fired.');
    expect(code).toBe(1);
  });
});
