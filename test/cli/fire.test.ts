/** `hookline fire`: one event, the real hooks, and an exit code that tells. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, denying, folder, hooklineFile, settings } from './support.js';

const TRUST = '--trust-workspace';

/** A hook that leaves its input behind. */
const KEEP = 'cat > input.json';

describe('the input of a fire', () => {
  const fired = async (argv: readonly string[], stdin?: string) => {
    const { call, write, workspace } = folder();
    write('hookline.yaml', hooklineFile('PreToolUse', KEEP));
    write('call.json', { tool_name: 'Write', tool_input: { file_path: 'a.txt' } });
    const called = await call(['fire', 'PreToolUse', TRUST, ...argv], stdin === undefined ? {} : { stdin });
    expect(called.code, called.err).toBe(0);
    return JSON.parse(readFileSync(join(workspace, 'input.json'), 'utf8'));
  };

  it('CL-14 is the sample', async () => {
    expect(await fired([])).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls -la' },
      permission_mode: 'default',
    });
  });

  it('CL-14 takes the fields of a file or of standard input', async () => {
    const given = { tool_name: 'Write', tool_input: { file_path: 'a.txt' } };
    expect(await fired(['--input', 'call.json'])).toMatchObject({ ...given, tool_use_id: 'call-1' });
    const read = await fired(['--input', '-'], JSON.stringify({ ...given, session_id: 'mine' }));
    expect(read).toMatchObject({ ...given, session_id: 'mine' });
    expect(read.tool_input).toEqual(given.tool_input);
  });

  it('CL-14 sets single fields by their path, as JSON where they read as JSON', async () => {
    const set = ['tool_input.command=rm -rf /', 'tool_input.timeout=5', 'tool_input.tags=["a","b"]'];
    const more = ['tool_input.tags.1=c', 'tool_input.new.deep=null', 'tool_use_id="7"'];
    const argv = [...set, ...more].flatMap((each) => ['--set', each]);
    const input = await fired(argv);
    expect(input.tool_input).toEqual({
      command: 'rm -rf /',
      description: 'List the files',
      timeout: 5,
      tags: ['a', 'c'],
      new: { deep: null },
    });
    expect(input.tool_use_id).toBe('7');
  });

  it('CL-13 is a call of the tool that is named, with the fields of that tool', async () => {
    const written = await fired(['--set', 'tool_name=Write', '--set', 'tool_input.file_path=.env']);
    expect(written.tool_name).toBe('Write');
    expect(written.tool_input).toEqual({ file_path: '.env', content: expect.any(String) });
    const read = await fired(['--input', '-'], JSON.stringify({ tool_name: 'Read' }));
    expect(read.tool_input).toEqual({ file_path: expect.stringMatching(/^\/.*parser\.ts$/) });
    const foreign = await fired(['--set', 'tool_name=mcp__files__list', '--set', 'tool_input.depth=2']);
    expect(foreign.tool_input).toEqual({ depth: 2 });
  });

  it('CL-14 is refused before anything runs when it does not fit', async () => {
    const { call, write, workspace } = folder();
    write('hookline.yaml', hooklineFile('PreToolUse', KEEP));
    const { code, err } = await call(['fire', 'PreToolUse', TRUST, '--set', 'tool_name=5']);
    expect(err).toContain('`tool_name`: Invalid input: expected string, received number.');
    expect(err).toContain(`for a string write --set 'tool_name="5"'`);
    expect(code).toBe(64);
    expect(existsSync(join(workspace, 'input.json'))).toBe(false);
  });

  it('CL-14 is refused too if there is no listener', async () => {
    const { code } = await folder().call(['fire', 'Setup', '--set', 'trigger=7']);
    expect(code).toBe(64);
  });

  it.each([
    ['no JSON at all', 'cannot be used: it is text, expected one JSON object'],
    ['[1]', 'cannot be used: it is an array, expected one JSON object'],
    ['', 'is empty; give one JSON object.'],
    [' \n', 'is empty; give one JSON object.'],
  ])('CL-14 %j cannot be the input', async (stdin, problem) => {
    const { code, err } = await folder().call(['fire', 'Stop', '--input', '-'], { stdin });
    expect(err).toContain(`--input: standard input ${problem}`);
    expect(code).toBe(64);
  });
});

describe('what a fire comes to', () => {
  const stop = (answer: object): string => answering(answer);
  const cases: readonly (readonly [
    title: string,
    event: string,
    hooks: readonly (string | object)[],
    exit: number,
    words: string,
  ])[] = [
    ['no hook', 'PreToolUse', [], 0, 'No opinion'],
    ['a hook without an opinion', 'PreToolUse', ['true'], 0, 'No opinion'],
    ['a denial', 'PreToolUse', [denying('not today')], 2, 'Denied: the tool does not run'],
    ['exit code 2', 'PreToolUse', ['echo no >&2; exit 2'], 2, 'Denied: the tool does not run'],
    ['an approval', 'PreToolUse', [stop({ decision: 'approve' })], 0, 'Allowed'],
    [
      'a question',
      'PreToolUse',
      [stop({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } })],
      0,
      'Asks: a person is asked for permission',
    ],
    ['a failure', 'PreToolUse', ['exit 1'], 1, 'Failed: a hook failed'],
    ['a missing program', 'PreToolUse', ['./missing.sh'], 1, 'Failed'],
    ['a failure beside a denial', 'PreToolUse', ['exit 1', denying('no')], 2, 'Denied'],
    [
      'the end of the run',
      'PreToolUse',
      [stop({ continue: false, stopReason: 'enough' })],
      2,
      'Ends the run',
    ],
    [
      'a blocked stop',
      'Stop',
      [stop({ decision: 'block', reason: 'go on' })],
      2,
      'Denied: the agent does not stop',
    ],
    ['an allowed stop', 'Stop', [stop({ continue: false })], 0, 'Ends the run'],
    ['feedback', 'PostToolUse', [stop({ decision: 'block', reason: 'lint' })], 2, 'too late to prevent'],
    ['a refused prompt', 'UserPromptSubmit', ['exit 2'], 2, 'Denied: the prompt does not reach the model'],
  ];

  it.each(cases)('CL-16 %s on %s', async (_, event, hooks, exit, words) => {
    const { call, write } = folder();
    write('.claude/settings.json', settings(event, hooks));
    const { code, out } = await call(['fire', event, TRUST]);
    expect(out).toContain(words);
    expect(code).toBe(exit);
  });

  it('CL-16 a refusal where nothing can be refused has no effect', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('SessionEnd', stop({ decision: 'block', reason: 'stay' })));
    const { code, out } = await call(['fire', 'SessionEnd', TRUST]);
    expect(out).toContain('Denied: a refusal has no effect on this event.');
    expect(code).toBe(0);
  });

  it('CL-16 going on instead of stopping, as hooks in code ask for it, is told by 2', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('Stop', stop({ continue: true })));
    const { code, out } = await call(['fire', 'Stop', TRUST]);
    expect(out).toContain('Goes on: the agent does not stop');
    expect(code).toBe(2);
  });
});

describe('what a fire shows', () => {
  it('CL-15 each hook in plan order, with its place, what it said, and the outcome of all', async () => {
    const { call, write } = folder();
    const context = { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'Be careful.' } };
    write('.claude/settings.json', settings('PreToolUse', [denying('not today'), answering(context)]));
    write('hookline.yaml', hooklineFile('PreToolUse', 'echo trouble >&2; exit 3'));
    const { out } = await call(['fire', 'PreToolUse', TRUST]);
    const lines = out.split('\n');
    expect(lines[0]).toBe('PreToolUse Bash');
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(lines[at('denied')]).toMatch(/^ {2}denied +echo .*settings\.json:6 .* ms, by its answer$/);
    expect(at('denied')).toBeLessThan(at('fine'));
    expect(at('fine')).toBeLessThan(at('failed'));
    expect(lines[at('failed')]).toMatch(/hookline\.yaml:4 .*exit code 3$/);
    for (const part of ['reason:      not today', 'context:     Be careful.', 'stderr:      trouble'])
      expect(out).toContain(part);
    expect(out.slice(out.indexOf('Denied:'))).toContain('reason:      not today');
  });

  it('CL-15 says a reason once if one hook gave it, and whose it is if several did', async () => {
    const { call, write } = folder();
    const reasons = async (...hooks: string[]) => {
      write('.claude/settings.json', settings('PreToolUse', hooks));
      const { out } = await call(['fire', 'PreToolUse', TRUST]);
      return out.split('\n').filter((line) => line.includes('reason:'));
    };
    expect(await reasons(denying('not today'))).toEqual(['  reason:      not today']);
    expect(await reasons('true', denying('not today'))).toEqual(['  reason:      not today']);
    const several = await reasons(denying('not today'), denying('nor tomorrow'));
    expect(several.slice(0, 2)).toEqual([
      '               reason:      not today',
      '               reason:      nor tomorrow',
    ]);
    expect(several[2]).toMatch(/^ {2}reason: +not today/);
  });

  it('CL-15 results are those of their hooks when conditions, duplicates and ended groups leave some out', async () => {
    const { call, write } = folder();
    const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });
    const hooks = [
      command('true # first'),
      command('true # never', { if: 'Bash(git:*)' }),
      command('true # first'),
      command('true # last'),
    ];
    write('.claude/settings.json', settings('PreToolUse', hooks));
    write(
      'hookline.yaml',
      hooklineFile('PreToolUse', answering({ continue: false }), 'true # left out') +
        '    - hooks: [{ type: command, command: "true # of the next group" }]\n',
    );
    const { json } = await call(['fire', 'PreToolUse', TRUST, '--json']);
    const { results } = json<{ results: { description: string }[] }>();
    expect(results.map(({ description }) => description)).toEqual([
      'true # first',
      'true # last',
      answering({ continue: false }),
      'true # of the next group',
    ]);
  });

  it('CL-15 long output is cut unless all of it is wanted', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('PreToolUse', 'seq 1 20 >&2'));
    const short = await call(['fire', 'PreToolUse', TRUST]);
    expect(short.out).toContain('(14 more lines; --full shows them)');
    const full = await call(['fire', 'PreToolUse', TRUST, '--full']);
    expect(full.out).toMatch(/^ +20$/m);
    write('hookline.yaml', hooklineFile('PreToolUse', 'seq 1 7 >&2'));
    expect((await call(['fire', 'PreToolUse', TRUST])).out).toContain('(1 more line; --full shows it)');
  });

  it('CL-15 so is a line that never ends', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('PreToolUse', `printf '%0200000d' 7 >&2; exit 2`));
    const short = await call(['fire', 'PreToolUse', TRUST]);
    expect(short.out.length).toBeLessThan(5000);
    expect(short.out).toContain('(199500 more characters; --full shows them)');
    const full = await call(['fire', 'PreToolUse', TRUST, '--full']);
    expect(full.out).toMatch(/0{199999}7$/m);
  });

  it('CL-48 with --json every hook has its verdict: a refusal by exit code is a refusal, not an error', async () => {
    const { call, write } = folder();
    const hooks = ['echo no >&2; exit 2', denying('no'), 'exit 1', 'true'];
    write('.claude/settings.json', settings('PreToolUse', hooks));
    const { json } = await call(['fire', 'PreToolUse', '--json', TRUST]);
    const { results } = json<{ results: { verdict: string; outcome: string }[] }>();
    expect(results.map(({ verdict, outcome }) => [verdict, outcome])).toEqual([
      ['denied', 'error'],
      ['denied', 'success'],
      ['failed', 'error'],
      ['fine', 'success'],
    ]);
  });

  it('CO-17 a command of hookline.yaml may print text, also when it is set to block', async () => {
    const { call, write } = folder();
    const hook = '{ type: command, command: "echo Formatted 3 files", onFailure: block }';
    write('hookline.yaml', `hooks:\n  PreToolUse:\n    - hooks:\n        - ${hook}\n`);
    const { code, out } = await call(['fire', 'PreToolUse', TRUST]);
    expect(out).toMatch(/fine +echo Formatted 3 files/);
    expect(out).toMatch(/note: +it printed text, which is not an answer: "Formatted 3 files"/);
    expect(out).toContain('No opinion');
    expect(code).toBe(0);
  });

  it('CL-15 a hook that failed and still refuses is shown with both reasons', async () => {
    const { call, write } = folder();
    write(
      '.claude/settings.json',
      settings('PreToolUse', [answering({ decision: 'block', reason: 'no', stopReasn: 'x' })]),
    );
    const { code, out } = await call(['fire', 'PreToolUse', TRUST]);
    expect(out).toMatch(/failure: +.*did you mean `stopReason`\?\n +reason: +no\n/);
    expect(code).toBe(2);
  });

  it('CL-5 with --json one value on stdout: outcome, hooks, what was left out', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', [denying('no')]));
    write('hookline.yaml', hooklineFile('PreToolUse', 'true'));
    const { code, json, err } = await call(['fire', 'PreToolUse', '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      verdict: 'incomplete',
      exit: 1,
      complete: false,
      results: [],
      inactive: [
        { reason: 'untrusted', source: { line: 6 } },
        { reason: 'untrusted', source: { line: 4 } },
      ],
    });
    expect(err).toContain('Not run, because they are not approved');
    const trusted = await call(['fire', 'PreToolUse', '--json', TRUST]);
    expect(trusted.json()).toMatchObject({
      verdict: 'denied',
      exit: 2,
      complete: true,
      decision: 'deny',
      reason: 'no',
      event: 'PreToolUse',
      input: { tool_name: 'Bash' },
      results: [
        { decision: 'deny', source: { line: 6 } },
        { outcome: 'success', description: 'true' },
      ],
      inactive: [],
    });
    expect(trusted.err).toBe('');
  });

  it('CL-17 hooks in the background are waited for, and what they tell is shown', async () => {
    const { call, write } = folder();
    const late = {
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'The linter is done.' },
    };
    const command = `echo '{"async":true}'; sleep 0.2; ${answering(late)}`;
    write('.claude/settings.json', settings('PostToolUse', [command]));
    const { code, out } = await call(['fire', 'PostToolUse', TRUST]);
    expect(out).toMatch(/later: +The linter is done\./);
    expect(code).toBe(0);
    write('.claude/settings.json', settings('PostToolUse', [`echo '{"async":true}'; exit 1`]));
    expect((await call(['fire', 'PostToolUse', TRUST])).code).toBe(1);
  });

  it('CL-15 --agent fires as that agent', async () => {
    const { call, write } = folder();
    write(
      'massgen.yaml',
      'agents:\n  - id: ada\n    backend:\n      hooks:\n        PreToolUse:\n          - { handler: "./deny.sh", type: command }\n',
    );
    write('deny.sh', `#!/bin/sh\necho '{"decision":"deny","reason":"not ada"}'\n`);
    const asAda = await call(['fire', 'PreToolUse', '--massgen', 'massgen.yaml', '--agent', 'ada']);
    expect(asAda.out).toContain('not ada');
    expect(asAda.code).toBe(2);
    expect((await call(['fire', 'PreToolUse', '--massgen', 'massgen.yaml'])).code).toBe(0);
  });
});

describe('which hooks', () => {
  it('CL-10 those of the folder, of the user, and of files that are named', async () => {
    const { call, write, writeUser } = folder();
    write('.claude/settings.json', settings('Stop', ['echo project']));
    write('.claude/settings.local.json', settings('Stop', ['echo local']));
    write('hookline.yaml', hooklineFile('Stop', 'true # own file'));
    write('extra.json', settings('Stop', ['echo named']));
    write('extra.yaml', hooklineFile('Stop', 'true # named too'));
    write('plugin/hooks/hooks.json', settings('Stop', ['echo plugin']));
    writeUser(settings('Stop', ['echo user']));
    write('../home/.config/hookline/hookline.yaml', hooklineFile('Stop', 'true # of the user'));
    const names = async (...argv: string[]) =>
      (await call(['list', '--json', ...argv]))
        .json<{ description: string }[]>()
        .map((hook) => hook.description);
    expect(await names()).toEqual([
      'echo user',
      'echo project',
      'echo local',
      'true # of the user',
      'true # own file',
    ]);
    const more = ['--settings', 'extra.json', '--settings', 'extra.yaml', '--plugin', 'plugin', '--no-user'];
    expect(await names(...more)).toEqual([
      'echo named',
      'echo project',
      'echo local',
      'echo plugin',
      'true # named too',
      'true # own file',
    ]);
  });

  it('CL-10 naming a file is approving it; --cwd is another folder', async () => {
    const { call, write, workspace } = folder();
    write('inner/named.json', settings('PreToolUse', [denying('named')]));
    const argv = ['fire', 'PreToolUse', '--settings', 'named.json', '--cwd', 'inner', '--json'];
    const { code, json } = await call(argv);
    expect(code).toBe(2);
    expect(json()).toMatchObject({ reason: 'named', input: { cwd: join(workspace, 'inner') } });
  });

  it('CL-11 CL-44 untrusted hooks do not run, and are named with the command that approves them', async () => {
    const { call, write, workspace } = folder();
    write('.claude/settings.json', settings('PreToolUse', ['touch ran']));
    const { code, out, err } = await call(['fire', 'PreToolUse']);
    expect(out).toContain('PreToolUse Bash: no hook ran.');
    expect(err).toContain('.claude/settings.json:6  PreToolUse  touch ran');
    expect(err).toContain('hookline trust approve');
    expect(out).toContain('Incomplete: hooks that are not approved did not run.');
    expect(code).toBe(1);
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
    await call(['fire', 'PreToolUse', TRUST]);
    expect(existsSync(join(workspace, 'ran'))).toBe(true);
    rmSync(join(workspace, 'ran'));
    await call(['fire', 'PreToolUse']);
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  it('CL-44 guards of other events that are not approved make every fire incomplete; hooks that only watch do not', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', ['exit 2']));
    const { code, out, err } = await call(['fire', 'Stop']);
    expect(err).toContain('.claude/settings.json:6  PreToolUse  exit 2');
    expect(out).toContain('Incomplete: hooks that are not approved did not run.');
    expect(code).toBe(1);
    const asJson = await call(['fire', 'Stop', '--json']);
    expect(asJson.code).toBe(1);
    expect(asJson.json()).toMatchObject({
      verdict: 'incomplete',
      exit: 1,
      complete: false,
      inactive: [{ reason: 'untrusted', description: 'exit 2' }],
    });
    write('.claude/settings.json', settings('PostToolUse', ['true']));
    expect((await call(['fire', 'Stop'])).code).toBe(0);
  });

  it('CL-12 broken hooks and files are named, so that a result never looks complete when it is not', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', [{ type: 'prompt', prompt: 'Is it safe?' }]));
    write('.claude/settings.local.json', '{ "hooks": ');
    const { err } = await call(['fire', 'PreToolUse', TRUST]);
    expect(err).toContain('.claude/settings.json:6: not run, unsupported: prompt: Is it safe?');
    expect(err).toMatch(
      /settings\.local\.json:1:12: The file cannot be read.*hookline check shows what to do/,
    );
    expect((await call(['fire', 'Stop', TRUST])).err).not.toContain('Is it safe?');
  });

  it('CL-12 a module that cannot be imported is named', async () => {
    const { call, write } = folder();
    write('hookline.mjs', 'throw new Error("broken module")');
    const { code, err } = await call(['fire', 'PreToolUse', TRUST]);
    expect(err).toContain('hookline.mjs:1:7: The module cannot be imported: broken module.');
    expect(code).toBe(1);
  });
});

describe('what hooks rewrote', () => {
  it('CL-15 is shown line by line, before and after', async () => {
    const { call, write } = folder();
    const updatedInput = { file_path: 'a.md', content: 'one\n2\nthree' };
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } };
    write('answer.json', answer);
    write('hookline.yaml', hooklineFile('PreToolUse', 'cat answer.json'));
    const input = { tool_name: 'Write', tool_input: { file_path: 'a.md', content: 'one\ntwo\nthree' } };
    const { out } = await call(['fire', 'PreToolUse', TRUST, '--input', '-'], {
      stdin: JSON.stringify(input),
    });
    expect(out).toContain('  rewritten:   tool_input\n');
    expect(out).toContain('       one\n    -  two\n    +  2\n       three\n');
  });
});
