/** How the command is called: help, versions, mistakes of the caller, options as they are written. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { EXIT, EXIT_CODES } from '../../src/base/exit-codes.js';
import { suggest } from '../../src/base/text/suggest.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { parse } from '../../src/cli/parse.js';
import { folder } from './support.js';

const spec = readFileSync(new URL('../../spec/cli.md', import.meta.url), 'utf8');

describe('help', () => {
  it('CL-1 shows every command, the options and the exit codes', async () => {
    const { call } = folder();
    const { code, out } = await call(['--help']);
    expect(code).toBe(0);
    for (const { usage, summary } of COMMANDS) {
      expect(out).toContain(usage);
      expect(out).toContain(summary);
    }
    for (const [exit, meaning] of EXIT_CODES) expect(out).toContain(`${String(exit).padEnd(3)}  ${meaning}`);
  });

  it.each(COMMANDS.map(({ name }) => name).filter((name) => name !== 'run'))(
    'CL-1 of %s shows its options, examples and exit codes, however it is asked for',
    async (name) => {
      const { call } = folder();
      const { code, out } = await call([name, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`Usage\n  hookline ${name}`);
      for (const part of ['Options\n', 'Exit codes\n', 'Examples\n', '-h, --help', '--cwd DIR'])
        expect(out).toContain(part);
      for (const other of [
        ['help', name],
        ['--help', name],
        [name, '-h'],
      ]) {
        expect((await call(other)).out).toBe(out);
      }
    },
  );

  it('CL-1 says of each command in the overview what it takes', async () => {
    const { call } = folder();
    for (const { name, usage } of COMMANDS.filter((each) => each.name !== 'run' && each.name !== 'serve')) {
      const { out } = await call([name, '--help']);
      const [, taken = ''] = /^ {2}hookline (.*)$/m.exec(out) ?? [];
      const most = taken
        .replace(' [options]', '')
        .replace(' [fingerprint...]', '')
        .replace(' [input|answer]', '');
      expect(usage).toBe(most);
    }
  });

  it('CL-1 a call without a command shows what there is, and is no success', async () => {
    const { code, out } = await folder().call([]);
    expect(code).toBe(EXIT.usage);
    expect(out).toContain('Usage\n  hookline <command>');
  });

  it.each(['--version', '-V', '-v'])('CL-1 %s prints the version of the package', async (option) => {
    const { code, out } = await folder().call([option]);
    expect([code, out]).toEqual([0, `${manifest.version}\n`]);
  });

  it('CL-1 nothing of a command, or of the library behind it, is loaded before it is called', () => {
    const root = new URL('../../src/cli/main.ts', import.meta.url);
    const loaded = new Set<string>();
    const follow = (file: URL): void => {
      if (loaded.has(file.href)) return;
      loaded.add(file.href);
      const text = readFileSync(file, 'utf8');
      const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from '(\.[^']+)\.js';/gm);
      for (const [, path] of imports) follow(new URL(`${path}.ts`, file));
    };
    follow(root);
    const names = [...loaded].map((href) => href.slice(href.indexOf('/src/') + 5)).sort();
    expect(names).toContain('cli/commands.ts');
    expect(names.filter((name) => !/^cli\/[\w-]+\.ts$/.test(name))).toEqual([
      'base/errors.ts',
      'base/exit-codes.ts',
      'base/json/escape-controls.ts',
      'base/text/cut-text.ts',
      'base/text/suggest.ts',
      'base/version.ts',
    ]);
  });

  it('CL-4 every exit code stands in the written contract', () => {
    for (const code of Object.values(EXIT)) expect(spec).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });
});

describe('mistakes of the caller', () => {
  it.each([
    [['fyre'], 'There is no command "fyre". Did you mean fire?'],
    [['--json', 'fire'], 'The name of a command comes first, not "--json".'],
    [['fire', 'PreTolUse'], 'There is no event "PreTolUse". Did you mean PreToolUse?'],
    [['fire', 'pretooluse'], 'Did you mean PreToolUse?'],
    [
      ['fire', 'BeforeTool'],
      '"BeforeTool" is an event of Gemini CLI. Here it is called PreToolUse: write that.',
    ],
    [
      ['list', 'beforeShellExecution'],
      '"beforeShellExecution" is an event of Cursor. Here it is called PreToolUse',
    ],
    [['fire', 'Nonsense'], 'There is no event "Nonsense". The events are PreToolUse,'],
    [['fire', 'Stop', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
    [['fire', 'Stop', '--nothing-like-it'], 'There is no option --nothing-like-it. See --help'],
    [['fire', 'Stop', '-x'], 'There is no option -x.'],
    [['fire'], 'fire needs at least 1 argument, got 0. Usage: hookline fire <Event>'],
    [['fire', 'Stop', 'Setup'], 'fire takes no argument "Setup".'],
    [['fire', 'Stop', '--set'], '--set needs a value: --set PATH=VALUE.'],
    [['fire', 'Stop', '--set', '--json'], '"--json" looks like an option'],
    [['fire', 'Stop', '--json=yes'], '--json takes no value, got "yes".'],
    [['fire', 'Stop', '--set', 'nonsense'], '--set is given "nonsense"; write PATH=VALUE'],
    [['fire', 'Stop', '--set', '__proto__.x=1'], '--set is given "__proto__.x=1"'],
    [
      ['fire', 'Stop', '--input', 'missing.json'],
      '--input: "missing.json" cannot be read: ENOENT: no such file or directory.',
    ],
    [
      ['fire', 'Stop', '--settings', 'missing.json'],
      '--settings names "missing.json", and there is no such file',
    ],
    [['fire', 'Stop', '--plugin', 'missing'], '--plugin names "missing", and there is no such folder'],
    [['fire', 'Stop', '--cwd', 'missing'], 'does not exist. Give another one as --cwd.'],
    [['fire', 'Stop', '--cwd', 'made.txt'], 'made.txt" is no folder. Give another one as --cwd.'],
    [['explain', 'Stop', 'Bash'], 'Stop has no subject for matchers'],
    [['explain', 'PreToolUse', 'Bash(rm -rf x)'], 'is the name of a tool: Bash, not "Bash(rm -rf x)". Give'],
    [['check', '--format', 'zzz'], 'There is no format "zzz". Write text, json or github.'],
    [
      ['audit', 'verify', 'missing.jsonl'],
      'missing.jsonl" cannot be read: ENOENT: no such file or directory.',
    ],
    [['trust', 'aprove'], 'trust has no action "aprove". Did you mean approve?'],
    [['trust', 'approve', 'abc'], 'The fingerprint "abc" is too short'],
    [['trust', 'approve', 'abcdef0123'], 'belongs to no hook here'],
    [['schema', 'confg'], 'There is no schema "confg". Did you mean config?'],
    [['schema', 'Stop', 'output'], 'There is no schema "output" of Stop; use input or answer.'],
    [['test'], 'There is no hookline.test.yaml here.'],
    [['test', 'missing.yaml'], 'There is no test file "missing.yaml".'],
    [['replay', 'missing.jsonl'], 'missing.jsonl" cannot be read: ENOENT: no such file or directory.'],
  ])('CL-2 %j is answered with a sentence and what was probably meant', async (argv, sentence) => {
    const { call, write } = folder();
    write('made.txt', '');
    const { code, out, err } = await call(argv);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^\s+at /m);
    expect([code, out]).toEqual([EXIT.usage, '']);
  });

  it('CL-2 --debug shows the stack of an error', async () => {
    const { err } = await folder().call(['fire', 'Nonsense', '--debug']);
    expect(err).toContain('There is no event "Nonsense"');
    expect(err).toMatch(/^\s+at .*event\.[jt]s/m);
  });

  it('CL-2 a field that the event does not know is sent, with a note', async () => {
    const { call } = folder();
    const { code, err } = await call(['fire', 'PreToolUse', '--set', 'tool_nme=Bash']);
    expect(err).toContain('PreToolUse has no field "tool_nme"; it is sent anyway. Did you mean tool_name?');
    expect(code).toBe(0);
  });

  it('CL-2 a mistake of the command itself is told as one, with exit code 70', async () => {
    const { code, err } = await folder().call(['record', 'x.jsonl'], { stdin: new TypeError('oops') });
    expect(err).toBe('hookline: Internal error in hookline: oops. Use --debug for the stack.\n');
    expect(code).toBe(EXIT.bug);
  });
});

describe('options', () => {
  const OPTIONS = {
    input: { type: 'string', help: '' },
    set: { type: 'string', short: 's', multiple: true, help: '' },
    json: { type: 'boolean', help: '' },
  } as const;

  it.each([
    [['--input', '-'], { input: '-' }],
    [['--input=-x'], { input: '-x' }],
    [['--input', '007'], { input: '007' }],
    [['--input', '1e3'], { input: '1e3' }],
    [['--input='], { input: '' }],
    [['--set', 'a=--x', '-s', 'b=2', '-sc=3'], { set: ['a=--x', 'b=2', 'c=3'] }],
    [['--set', 'a.b=c', '--json'], { set: ['a.b=c'], json: true }],
  ])('CL-3 %j is taken as it is written', (words, expected) => {
    expect(parse(words, OPTIONS).options).toMatchObject(expected);
  });

  it('CL-3 what stands after -- is never an option', () => {
    expect(parse(['a', '--', '--json', '-x'], OPTIONS).args).toEqual(['a', '--json', '-x']);
    expect(parse([], OPTIONS).options).toMatchObject({ input: undefined, set: [], json: false });
  });
});

describe('suggestions', () => {
  it.each([
    ['lsit', 'list'],
    ['chek', 'check'],
    ['TRUST', 'trust'],
    ['xyz', undefined],
    ['', undefined],
  ])('CL-2 for %j: %j', (word, expected) => {
    expect(suggest(word, ['list', 'check', 'trust', 'fire'])).toBe(expected);
  });
});
