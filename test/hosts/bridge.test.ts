/** `hookline hook`: what a host calls, in every host's words. As a process each host has one of three calls, in the whole form all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAt, valueAt } from '../../src/dialects/host/path.js';
import { fieldsOf } from '../../src/dialects/host/translate.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import { isTried } from '../support/matrix.js';
import {
  bridge,
  callOf,
  type Done,
  eventOf,
  type Folder,
  host,
  MAIN,
  makeFolder,
  readBy,
  run,
} from './support.js';

/**
 * Refuses, asks, rewrites, ends, waits or adds, by a word in the input; counts its runs. A shell starts much sooner than
 * Node, and this runs a hundred times.
 */
const GUARD = `
input=$(cat)
printf x >> runs.txt
event=\${input#*'"hook_event_name":"'}
event=\${event%%'"'*}
has() { case $input in *"$1"*) ;; *) return 1 ;; esac; }
specific() { echo '{"hookSpecificOutput":{"hookEventName":"'"$event"'",'"$1"'}}'; }
if has HOSTILE; then echo R-hostile >&2; exit 2; fi
if has ASK; then specific '"permissionDecision":"ask","permissionDecisionReason":"R-ask"'; fi
if has REWRITE; then specific '"updatedInput":{"command":"echo other"}'; fi
if has CONTEXT; then specific '"additionalContext":"C-added"'; fi
if has ENDS; then echo '{"continue":false,"stopReason":"R-ends"}'; fi
if has SLOW; then sleep 60; fi
if has CRASH; then exit 3; fi
`;

const OTHER_PATH = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
const updatedInput = { ...JSON.parse(text).tool_input, file_path: 'other' };
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } }));
`;

const CONFIG = `
hooks:
  PreToolUse:
    - matcher: Bash|Read|Write|Edit
      hooks: [{ type: command, command: sh guard.sh, onFailure: block }]
`;

let folder: Folder;
beforeAll(async () => {
  folder = makeFolder({ 'guard.sh': GUARD, 'hookline.yaml': CONFIG });
  await folder.hookline(['trust', 'approve', '--yes']);
});
afterAll(() => folder.remove());

const call = (name: string, tool: string, input: Readonly<Record<string, unknown>>) =>
  folder.call(bridge(host(name)), callOf(host(name), tool, input));

describe.each(HOSTS.map(({ name }) => name))('the bridge to %s', (name) => {
  const own = host(name);
  const pre = own.spellings[0].events['PreToolUse'];

  it('HS-5 refuses a hostile call of the shell, an edit and a read, and lets the harmless one through', async () => {
    const calls = [
      ['Bash', { command: 'echo HOSTILE' }, { command: 'ls' }],
      [
        'Edit',
        { file_path: 'HOSTILE', old_string: 'a', new_string: 'b' },
        { file_path: 'a', old_string: 'a', new_string: 'b' },
      ],
      ['Read', { file_path: 'HOSTILE' }, { file_path: 'a.txt' }],
    ] as const;
    await Promise.all(
      calls.map(async ([tool, hostile, harmless]) => {
        const refused = await call(name, tool, hostile);
        expect(readBy(own, refused), refused.stderr).toMatchObject({
          refuse: expect.stringContaining('R-hostile'),
        });
        const passed = await call(name, tool, harmless);
        expect(passed).toEqual({ stdout: '', stderr: '', exit: 0 });
      }),
    );
  });

  it('HS-6 what the host cannot express is a refusal with the reason', async () => {
    const [ask, rewrite, ends] = await Promise.all([
      call(name, 'Bash', { command: 'ASK' }),
      call(name, 'Bash', { command: 'REWRITE' }),
      call(name, 'Bash', { command: 'ENDS' }),
    ]);
    const can = pre?.can ?? [];
    expect(readBy(own, ask)).toMatchObject(
      can.includes('ask') ? { ask: 'R-ask' } : { refuse: expect.stringContaining('R-ask') },
    );
    expect(readBy(own, rewrite)).toMatchObject(
      can.includes('rewrite')
        ? { rewrite: { command: 'echo other' } }
        : { refuse: expect.stringContaining('echo other') },
    );
    expect(readBy(own, ends)).toMatchObject(
      can.includes('stop') ? { stop: 'R-ends' } : { refuse: expect.stringContaining('R-ends') },
    );
  });

  it('HS-7 refuses what it cannot read, an event that it does not know, a crash, and hooks that take too long', async () => {
    const args = bridge(own);
    const [garbage, empty, unknown, crash, slow] = await Promise.all([
      folder.call(args, 'not json'),
      folder.call(args, ''),
      folder.call(['hook', '--host', name], '{"hook_event_name":"NoSuchEvent"}'),
      call(name, 'Bash', { command: 'CRASH' }),
      folder.call([...args, '--deadline', '0.6'], callOf(own, 'Bash', { command: 'SLOW' })),
    ]);
    for (const done of [garbage, empty, crash, slow]) expect(readBy(own, done).refuse).toBeDefined();
    expect(slow.stderr).toContain('not done within 0.6 s');
    // Whatever event it is: exit code 2 with a reason on stderr refuses, but for a host that looks at what is printed alone.
    expect(unknown.stderr).toContain('NoSuchEvent');
    if (name !== 'cline') expect(unknown).toMatchObject({ stdout: '', exit: 2 });
    expect(readBy(own, unknown).refuse).toBeDefined();
  });

  it('HS-27 the input of a tool may be the text of a JSON object; anything else is refused', async () => {
    const path = fieldsOf(own.spellings[0], 'PreToolUse')['tool_input'] ?? 'tool_input';
    const sent = (command: string) => JSON.parse(callOf(own, 'Bash', { command })) as Record<string, unknown>;
    const withInput = (given: unknown): string => {
      const call = sent('ls');
      setAt(call, path, given);
      return JSON.stringify(call);
    };
    const texts = ['echo HOSTILE', 'ls'].map((command) => JSON.stringify(valueAt(sent(command), path)));
    const [hostile, harmless, ...unclear] = await Promise.all(
      [...texts, 'ls', '["ls"]', ['ls'], null, { line: 'ls' }].map((given) =>
        folder.call(bridge(own), withInput(given)),
      ),
    );
    expect(readBy(own, hostile as Done)).toMatchObject({ refuse: expect.stringContaining('R-hostile') });
    expect(harmless).toEqual({ stdout: '', stderr: '', exit: 0 });
    for (const done of unclear) expect(readBy(own, done).refuse).toContain('cannot be read');
  });

  it('HS-28 null is no value: the field is absent', async () => {
    const sent = JSON.parse(callOf(own, 'Bash'));
    const nothing = { transcript_path: null, agent_id: null, permission_mode: null };
    expect(await folder.call(bridge(own), JSON.stringify({ ...sent, ...nothing }))).toEqual({
      stdout: '',
      stderr: '',
      exit: 0,
    });
  });

  const row = HOSTS.indexOf(own);
  const asProcess = { hostile: 0, harmless: 1, unfinished: 2 };
  const isOne = (way: keyof typeof asProcess): boolean => isTried(row, HOSTS.length, asProcess[way], 3);

  it.runIf(isOne('hostile'))('HS-5 refuses a hostile call as a process too', async () => {
    const refused = await folder.hookline(bridge(own), callOf(own, 'Bash', { command: 'echo HOSTILE' }));
    expect(readBy(own, refused).refuse, refused.stderr).toContain('R-hostile');
  });

  it.runIf(isOne('harmless'))('HS-5 lets a harmless call through as a process too', async () => {
    const passed = await folder.hookline(bridge(own), callOf(own, 'Bash'));
    expect(passed).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  it.runIf(isOne('unfinished'))('HS-7 refuses if the input does not end before the deadline', async () => {
    const unfinished = await folder.unfinished([...bridge(own), '--deadline', '0.5'], callOf(own, 'Bash'));
    expect(readBy(own, unfinished).refuse).toContain('not done within 0.5 s');
  });
});

describe('the bridge', () => {
  it('HS-7 refuses where the user has no home: what was approved is then unknown', async () => {
    const elsewhere = makeFolder({
      'no-home.cjs': "require('node:os').homedir = () => { throw new Error('R-no-home'); };",
    });
    const gemini = host('gemini');
    const env = { ...process.env, HOOKLINE_HOME: '', XDG_CONFIG_HOME: '' };
    const args = ['--require', './no-home.cjs', MAIN, ...bridge(gemini)];
    const done = await run(process.execPath, args, elsewhere.project, callOf(gemini, 'Bash'), env);
    expect(readBy(gemini, done).refuse).toContain('R-no-home');
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    elsewhere.remove();
  });

  it('HS-28 Codex without a transcript and without a last message fires its Stop hooks', async () => {
    const codex = host('codex');
    const stops = makeFolder({
      'hookline.yaml': 'hooks: { Stop: [{ hooks: [{ type: command, command: "echo go on >&2; exit 2" }] }] }',
    });
    await stops.hookline(['trust', 'approve', '--yes']);
    const none = { transcript_path: null, last_assistant_message: null, stop_hook_active: false };
    const done = await stops.hookline(bridge(codex, 'Stop'), eventOf(codex, 'Stop', none));
    expect(readBy(codex, done, 'Stop')).toMatchObject({ refuse: 'go on' });
    stops.remove();
  });

  it('HS-6 the end of the run after a tool hides the output where the host cannot end the run', async () => {
    const ends = makeFolder({
      'end.sh': `echo '{"continue":false,"stopReason":"R-ends"}'`,
      'hookline.yaml': 'hooks: { PostToolUse: [{ hooks: [{ type: command, command: sh end.sh }] }] }',
    });
    await ends.call(['trust', 'approve', '--yes']);
    for (const own of HOSTS) {
      const can = own.spellings[0].events['PostToolUse']?.can ?? [];
      const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: 'out' };
      const done = await ends.call(bridge(own, 'PostToolUse'), eventOf(own, 'PostToolUse', call));
      const way = (['stop', 'replace'] as const).find((each) => can.includes(each));
      if (way === undefined)
        expect(done).toMatchObject({ stdout: '', stderr: expect.stringContaining('R-ends') });
      else expect(readBy(own, done, 'PostToolUse')[way], own.name).toContain('R-ends');
    }
    ends.remove();
  });

  it('HS-4 a refusal is short enough for the host to read it, whatever the input', async () => {
    const qwen = host('qwen');
    const content = 'y'.repeat(900_000);
    const big = makeFolder({
      'other.mjs': OTHER_PATH,
      'hookline.yaml':
        'hooks: { PreToolUse: [{ matcher: Write, hooks: [{ type: command, command: node other.mjs }] }] }',
    });
    await big.hookline(['trust', 'approve', '--yes']);
    const done = await big.hookline(bridge(qwen), callOf(qwen, 'Write', { file_path: 'a', content }));
    expect(readBy(qwen, done).refuse).toContain('Call the tool again');
    expect(done.stdout.length).toBeLessThan(50_000);
    big.remove();
  });

  it('HS-8 refuses while hooks are not approved or cannot be read, where the event can refuse', async () => {
    const untrusted = makeFolder({ 'guard.sh': GUARD, 'hookline.yaml': CONFIG });
    const broken = makeFolder({ 'hookline.yaml': 'hooks: [' });
    const gemini = host('gemini');
    const done = await untrusted.hookline(bridge(gemini), callOf(gemini, 'Bash'));
    expect(readBy(gemini, done).refuse).toContain('not approved');
    const unread = await broken.hookline(bridge(gemini), callOf(gemini, 'Bash'));
    expect(readBy(gemini, unread).refuse).toContain('hookline.yaml');
    const end = await untrusted.hookline(
      bridge(gemini, 'SessionEnd'),
      eventOf(gemini, 'SessionEnd', { reason: 'exit' }),
    );
    expect(end).toMatchObject({ stdout: '', exit: 0 });
    untrusted.remove();
    broken.remove();
  });

  it("HS-9 a matcher may use our name of a tool or the host's", async () => {
    const named = makeFolder({
      'hookline.yaml':
        'hooks: { PreToolUse: [{ matcher: run_shell_command, hooks: [{ type: command, command: "echo no >&2; exit 2" }] }] }',
    });
    await named.hookline(['trust', 'approve', '--yes']);
    const gemini = host('gemini');
    const shell = await named.hookline(bridge(gemini), callOf(gemini, 'Bash'));
    expect(readBy(gemini, shell)).toMatchObject({ refuse: 'no' });
    expect(await named.hookline(bridge(gemini), callOf(gemini, 'Read'))).toMatchObject({ stdout: '' });
    named.remove();
  });

  it('HS-10 a hook that two files bring in runs once, and not at all if the host runs it itself', async () => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sh guard.sh' }] }] } };
    const both = makeFolder({
      'guard.sh': GUARD,
      'hookline.yaml': CONFIG,
      '.claude/settings.json': JSON.stringify(settings),
    });
    await both.hookline(['trust', 'approve', '--yes']);
    const gemini = host('gemini');
    await both.hookline([...bridge(gemini), '--claude'], callOf(gemini, 'Bash'));
    expect(readFileSync(join(both.project, 'runs.txt'), 'utf8')).toBe('x');
    both.write('hookline.yaml', 'hooks: { PreToolUse: [] }');
    const copilot = host('copilot');
    await both.hookline([...bridge(copilot), '--claude'], callOf(copilot, 'Bash', { command: 'HOSTILE' }));
    expect(readFileSync(join(both.project, 'runs.txt'), 'utf8')).toBe('x');
    both.remove();
  });

  it('HS-11 a patch of Codex is judged as the files that it writes', async () => {
    const codex = host('codex');
    const patch =
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Add File: HOSTILE.env\n+x\n*** End Patch';
    const done = await folder.hookline(bridge(codex), callOf(codex, 'apply_patch', { command: patch }));
    expect(readBy(codex, done)).toMatchObject({ refuse: 'R-hostile' });
    const harmless = patch.replace('HOSTILE', 'harmless');
    expect(
      await folder.hookline(bridge(codex), callOf(codex, 'apply_patch', { command: harmless })),
    ).toMatchObject({
      stdout: '',
    });
  });

  it('HS-12 records the fire when asked, in our names', async () => {
    const gemini = host('gemini');
    await folder.hookline([...bridge(gemini), '--record', 'fires.jsonl'], callOf(gemini, 'Bash'));
    const line = JSON.parse(readFileSync(join(folder.project, 'fires.jsonl'), 'utf8'));
    expect(line).toMatchObject({ event: 'PreToolUse', input: { tool_name: 'Bash', host: 'gemini' } });
  });

  it('HS-13 an empty prompt of Qwen is no prompt', async () => {
    const qwen = host('qwen');
    const prompts = makeFolder({
      'hookline.yaml':
        'hooks: { UserPromptSubmit: [{ hooks: [{ type: command, command: "echo no >&2; exit 2" }] }] }',
    });
    await prompts.hookline(['trust', 'approve', '--yes']);
    const args = bridge(qwen, 'UserPromptSubmit');
    expect(await prompts.hookline(args, eventOf(qwen, 'UserPromptSubmit', { prompt: '' }))).toMatchObject({
      stdout: '',
    });
    const asked = await prompts.hookline(args, eventOf(qwen, 'UserPromptSubmit', { prompt: 'hello' }));
    expect(readBy(qwen, asked, 'UserPromptSubmit')).toMatchObject({ refuse: 'no' });
    prompts.remove();
  });

  it('HS-13 Qwen says on the first Stop that a Stop hook is active; the bridge does not believe it', async () => {
    const qwen = host('qwen');
    const stops = makeFolder({
      'hookline.yaml':
        'hooks: { Stop: [{ hooks: [{ type: command, command: \'grep -q "stop_hook_active":true || { echo go on >&2; exit 2; }\' }] }] }',
    });
    await stops.hookline(['trust', 'approve', '--yes']);
    const done = await stops.hookline(
      bridge(qwen, 'Stop'),
      eventOf(qwen, 'Stop', { stop_hook_active: true }),
    );
    expect(readBy(qwen, done, 'Stop')).toMatchObject({ refuse: 'go on' });
    stops.remove();
  });
});
