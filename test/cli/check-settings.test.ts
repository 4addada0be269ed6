/** `hookline check`: slips that a reader passes over in silence, and hints that say what to write. */
import { describe, expect, it } from 'vitest';
import { folder, hooklineFile, settings } from './support.js';

const TRUST = '--trust-workspace';

interface Found {
  readonly problems: readonly {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
    readonly hint?: string;
    readonly source: { readonly line: number; readonly column: number };
  }[];
}

async function found(file: string, content: unknown): Promise<Found['problems']> {
  const { call, write } = folder();
  write(file, content);
  return (await call(['check', TRUST, '--json'])).json<Found>().problems;
}

const inSettings = (hook: string): string => `{ "hooks": { "PreToolUse": [{ "hooks": [\n${hook}\n] }] } }`;

describe('what a reader passes over', () => {
  it.each([
    [
      '{\n  "hook": { "Stop": [] } }',
      '2:3',
      'error',
      'unknown_key',
      /^`hook` is unknown/,
      'Write hooks instead of hook.',
    ],
    ['{\n  "Stop": [] }', '2:3', 'error', 'misplaced_event', /move it inside `hooks`/, undefined],
    [
      '{ "permissions":\n{ "deny": ["Bash(rm"] } }',
      '2:12',
      'error',
      'invalid_rule',
      /"Bash\(rm" cannot be used/,
      'Write "Bash(rm)".',
    ],
    [
      '{ "permissions":\n{ "allow": "Bash" } }',
      '2:12',
      'error',
      'invalid_permissions',
      /`allow` is not a list/,
      undefined,
    ],
    [
      '{ "permissions":\n{ "ask": [5] } }',
      '2:11',
      'error',
      'invalid_permissions',
      /An entry of `ask` is not a string/,
      undefined,
    ],
  ] as const)('CL-43 %j: %s %s %s', async (text, place, severity, code, message, hint) => {
    const [problem, ...more] = await found('.claude/settings.json', text);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ severity, code, message: expect.stringMatching(message) });
    expect(`${problem?.source.line}:${problem?.source.column}`).toBe(place);
    if (hint === undefined) expect(problem).not.toHaveProperty('hint');
    else expect(problem?.hint).toMatch(hint);
  });

  it('CL-43 a key that is written twice is named with both lines', async () => {
    const text = `{ "hooks": {
  "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }],
  "Setup": [],
  "Stop": [{ "hooks": [{ "type": "command", "command": "true # 2" }] }]
} }`;
    expect(await found('.claude/settings.json', text)).toMatchObject([
      {
        severity: 'warning',
        code: 'duplicate_key',
        message: expect.stringContaining('`Stop` occurs twice in the same object, in line 2 and in line 4'),
        source: { line: 4, column: 3 },
      },
    ]);
  });

  it('CL-43 rules of Claude settings are not applied to the files of another ecosystem', async () => {
    const { call, write } = folder();
    write('team.json', '{ "hooks": {}, "ui": { "a": 1, "a": 2 } }');
    const { problems } = (await call(['check', '--massgen', 'team.json', '--json'])).json<Found>();
    expect(problems.map(({ code }) => code)).not.toContain('duplicate_key');
  });

  it.each([
    [60000, 'which is 16 h 40 min. Timeouts are seconds: if 60000 milliseconds are meant, write 60.'],
    [1000, 'which is 17 minutes. Timeouts are seconds: if 1000 milliseconds are meant, write 1.'],
    [90500, 'if 90500 milliseconds are meant, write 90.5.'],
    [600, undefined],
    [3600, undefined],
    [86400, undefined],
  ])('CL-43 a timeout of %d: %s', async (timeout, words) => {
    const problems = await found(
      '.claude/settings.json',
      inSettings(`{ "type": "command", "command": "true", "timeout": ${timeout} }`),
    );
    if (words === undefined) expect(problems).toEqual([]);
    else
      expect(problems).toMatchObject([
        {
          severity: 'warning',
          code: 'doubtful_timeout',
          message: expect.stringContaining(words),
          source: { line: 2, column: 52 },
        },
      ]);
  });

  it.each([
    ['SessionStart', 'begin', 'values of `source` on SessionStart (startup, resume, clear, compact, fork)'],
    ['SessionEnd', 'never', 'values of `reason` on SessionEnd'],
    ['PreCompact', 'Manual', 'Write manual: matchers are case-sensitive'],
    ['Setup', 'start', 'values of `trigger` on Setup (init, maintenance)'],
    ['SessionStart', 'resume|begin', undefined],
    ['Notification', 'anything_at_all', undefined],
    ['SubagentStop', 'somebody', undefined],
  ])('CL-22 on %s a matcher %s: %s', async (event, matcher, words) => {
    const all = [
      ...(await found('.claude/settings.json', settings(event, ['true'], { matcher }))),
      ...(await found(
        'hookline.yaml',
        hooklineFile(event, 'true').replace('- hooks', `- matcher: ${matcher}\n      hooks`),
      )),
    ];
    const expected =
      words === undefined ? [] : [expect.stringContaining(words), expect.stringContaining(words)];
    expect(all.map(({ message }) => message)).toEqual(expected);
    expect(all.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

describe('what to do', () => {
  it.each([
    ['{ "type": "comand", "command": "true" }', ['"comand" is not one of them: write "command".']],
    [
      '{ "type": "pigeon" }',
      [expect.stringContaining('"pigeon" is not one of them: write { "type": "command"')],
    ],
    ['{ "command": "true" }', ['Add "type": "command".']],
    ['{ "url": "http://localhost/" }', ['Add "type": "http".']],
    ['{ "args": [] }', [expect.stringContaining('Give it a known type, as in { "type": "command"')]],
    ['{ "type": "command", "comand": "true" }', ['Write command instead of comand.']],
    ['{ "type": "command", "cmd": "true" }', ['Write command instead of cmd.']],
    ['{ "type": "command", "run": "true" }', ['Write command instead of run.']],
    ['{ "type": "prompt", "text": "Well?" }', ['Write prompt instead of text.']],
    [
      '{ "type": "command", "command": "true", "timeoutMs": 5000 }',
      ['Write timeout, in seconds, instead of timeoutMs.'],
    ],
    [
      '{ "type": "command", "command": "true", "failClosed": true }',
      ['Write onFailure: block instead of failClosed.'],
    ],
    [
      '{ "type": "command", "command": "true", "env": {} }',
      ['Set variables in `env` of the settings file, or in the command: NAME=value program.'],
    ],
    ['{ "type": "command", "command": "true", "async": "true" }', [undefined]],
    ['{ "type": "command", "command": "true", "if": "bash(git *)" }', ['Write "Bash(git *)".']],
    ['{ "type": "http", "url": "localhost:8080/hook" }', [undefined]],
    ['{ "type": "command", "command": "true", "onFail": "block" }', ['Write onFailure instead of onFail.']],
    ['{ "type": "command", "command": "true", "timeout": "5s" }', [undefined]],
    [
      '{ "type": "command", "command": "true", "if": "Bash(" }',
      ['Write a rule such as "Bash(rm:*)", "Read(./.env)" or "WebFetch".'],
    ],
  ])('CL-20 about the hook %s', async (hook, hints) => {
    expect((await found('.claude/settings.json', inSettings(hook))).map(({ hint }) => hint)).toEqual(hints);
  });

  it('CL-20 an address without http is told to begin with it', async () => {
    const hook = '{ "type": "http", "url": "localhost:8080/hook" }';
    expect((await found('.claude/settings.json', inSettings(hook)))[0]?.message).toContain(
      'it begins with "localhost:"; write "http://" or "https://" in front of the host',
    );
  });

  it.each([
    ['{ "hook": [] }', expect.stringContaining('instead of hook.')],
    ['{ "commands": ["true"] }', expect.stringMatching(/^Write "hooks": .* instead of commands\.$/)],
    ['"true"', 'Write { "hooks": [{"type":"command","command":"true"}] }.'],
    ['{ "matcher": ["Bash", "Write"], "hooks": [] }', 'Write "Bash|Write".'],
    [
      '{ "matcher": "Bash(rm *)", "hooks": [{ "type": "command", "command": "true" }] }',
      'Write "matcher": "Bash", and "if": "Bash(rm *)" beside the command.',
    ],
    [
      '{ "type": "command", "command": "true" }',
      expect.stringContaining('A hook belongs in the list of a group: { "hooks": ['),
    ],
    ['{ "matcher": 5, "hooks": [] }', expect.stringContaining('Write a string in double quotes')],
  ])('CL-20 about the group %s', async (group, hint) => {
    const problems = await found('.claude/settings.json', `{ "hooks": { "PreToolUse": [${group}] } }`);
    expect(problems).toMatchObject([{ hint }]);
  });

  it.each([
    ['timeout: 5s', 'give seconds as a number above 0, such as 5', undefined],
    ['comand: ls', '`comand` is unknown', 'Write command instead of comand.'],
    ['onFail: block', '`onFail` is unknown', 'Write onFailure instead of onFail.'],
    ['fail_closed: true', '`fail_closed` is unknown', 'Write onFailure: block instead of fail_closed.'],
  ])('CL-20 a hook of a hookline file with %s is reported once', async (line, words, hint) => {
    const text = `hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: 'true'\n          ${line}\n`;
    const problems = await found('hookline.yaml', text);
    expect(problems).toMatchObject([{ code: 'bad_hook', source: { line: 6 } }]);
    expect(problems[0]?.message).toContain(words);
    expect(problems[0]?.hint).toBe(hint);
  });

  it.each([
    ['hookline.yaml', 'hooks: [', /a quote, a bracket or a comma/],
    ['hookline.yaml', '', /Write \{ "hooks": \{\} \} into it/],
    ['hookline.yaml', 'hooks:\n\tStop: []\n', /Indent with blanks/],
    ['hookline.yaml', 'hooks:\n  Stop:\n    - matcher: a\n     hooks: []\n', /its indentation differs/],
    ['hookline.yaml', 'hooks:\n  Stop: []\n Setup: []\n', /its indentation differs/],
    ['hookline.yaml', 'hooks:\n  Stop: a: b\n', /Put the value in quotes/],
    ['hookline.yaml', 'hooks:\n  Stop:\n    - matcher: *\n', /Put the value in quotes, as in "\*"/],
    ['hookline.yaml', 'hoks:\n  Stop: []\n', /^Write hooks instead of hoks\.$/],
    ['.claude/settings.json', "{ 'hooks': {} }", /Write " instead of '/],
    ['.claude/settings.json', '{ "hooks": { "BeforeTool": [] } }', /^Write PreToolUse\.$/],
    ['hookline.yaml', 'hooks:\n  Stop: []\n  Stop: []\n', /Merge the two/],
    ['hookline.mjs', 'throw new Error("oops")', /Run it with node/],
  ])('CL-20 about the file %s with %j', async (file, text, hint) => {
    const [problem] = await found(file, text);
    expect(problem?.hint).toMatch(hint);
  });
});

describe('what is counted', () => {
  it('CL-21 is what is shown: errors make the check fail, what waits for an approval is counted apart', async () => {
    const { call, write } = folder();
    const many = Array.from({ length: 23 }, (_, i) => `true # ${i}`);
    write('.claude/settings.json', {
      hooks: {
        Stop: [{ hooks: many.map((command) => ({ type: 'command', command })) }],
        PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: 'true' }] }],
        Stpo: [],
      },
    });
    const { code, out } = await call(['check']);
    expect(out.match(/ {2}error {2}/g)).toHaveLength(1);
    expect(out.match(/ {2}warning {2}/g)).toHaveLength(1);
    expect(out).toContain('\n1 error, 1 warning in 1 file; 24 not approved; 24 hooks checked.\n');
    expect(code).toBe(1);
    const { problems } = (await call(['check', '--json'])).json<Found>();
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(25);
  });
});
