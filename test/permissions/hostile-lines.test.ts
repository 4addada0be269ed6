import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import { bash, makeWorkspace } from './workspace.js';

const { base, root, home, permissions } = makeWorkspace();
/** Far above what it takes, far below what a line that explodes would take; machines are busy. */
const BOUND_MS = 1_500;

/** Everything there is, links and contents included. */
function pictureOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const info = lstatSync(join(folder, name));
      if (info.isSymbolicLink()) return `${name} -> ${readlinkSync(join(folder, name))}`;
      return info.isFile() ? `${name}: ${readFileSync(join(folder, name), 'utf8')}` : `${name}/`;
    });
}

describe('hostile lines', () => {
  const part = fc.constantFrom(
    ...[
      'ls',
      'cat a.txt',
      'echo x',
      'sort b.txt',
      'cat',
      'uniq a.txt',
      'head -n 1',
      'cd src',
      'grep -r x .',
      'find .',
    ],
    ...[
      'git status',
      'git diff',
      'git branch',
      'test -f a.txt',
      '[ 1 = 1 ]',
      'printf %s x',
      'date',
      'pwd',
      'true',
    ],
    ...[
      'touch made',
      'rm -f a.txt',
      'tee made',
      'cp a.txt made',
      'mkdir made',
      'ln -s b.txt made',
      'mv a.txt made',
    ],
    ...[
      ' -o made',
      ' --output=made',
      ' -exec touch made {} +',
      ' -delete',
      ' made',
      ' -fprint made',
      ' -v PATH',
    ],
    ...[
      ' > made',
      ' >> a.txt',
      ' 2>&1',
      ' > /dev/null',
      ' < a.txt',
      ' <<E\nx\nE\n',
      ' <<< x',
      ' &> made',
      ' >& made',
    ],
    ...[
      '; ',
      ' && ',
      ' || ',
      ' | ',
      ' & ',
      '\n',
      ' ',
      '  ',
      '\t',
      '(',
      ')',
      '{ ',
      '; }',
      '! ',
      '#',
      '\\',
      '\r',
    ],
    ...[
      '"',
      "'",
      '`',
      '$(',
      '$((',
      '))',
      '${x:-',
      '}',
      '<(',
      '>(',
      "$'",
      '$x',
      '$HOME',
      '*',
      '?',
      '{a,b}',
      '~',
      '$',
    ],
    ...[
      'if ',
      '; then ',
      '; fi',
      'for i in 1; do ',
      '; done',
      'x=1 ',
      'PATH=. ',
      'LANG=C ',
      'f() ',
      'eval ',
      'xargs ',
    ],
    ...['env ', 'timeout 5 ', 'command ', 'time ', 'exec ', 'source ', 'nohup ', 'export ', 'alias ls=touch'],
  );
  const line = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
  const place = fc.constantFrom(
    ...[
      'a.txt',
      'out',
      'secret',
      '..',
      '.env',
      'elsewhere',
      'src',
      'project',
      'link',
      '*',
      '.e*',
      's*',
      '.',
      '~',
      '-n',
    ],
    ...[
      '$OLDPWD',
      '{a.txt,out}',
      '[o]ut',
      "'out'",
      'o\\ut',
      '$SECRET',
      '${SECRET}',
      '"$SECRET"',
      '-r',
      '-e',
      '-f',
      'x',
    ],
  );
  const path = fc.array(place, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const program = fc.constantFrom(
    ...[
      'cat',
      'grep',
      'grep -r',
      'head -n',
      'sort',
      'tail',
      'echo',
      'cd',
      'ls',
      'find',
      'cat <',
      'cat <<<',
      'rg',
      'od',
      'test',
    ],
    ...[
      'git diff',
      'git log -p',
      'git grep',
      'diff a.txt',
      'tr a b <',
      'printf',
      'uniq',
      'wc',
      'cut -c 1-9',
      'git show',
      'cat <<E\n',
    ],
  );
  const command = fc
    .tuple(program, fc.array(path, { maxLength: 3 }))
    .map(([name, paths]) => [name, ...paths].join(' '));
  const looking = fc
    .tuple(
      command,
      fc.array(fc.tuple(fc.constantFrom(' && ', '; ', ' | ', '\n', ' || '), command), { maxLength: 2 }),
    )
    .map(([first, rest]) => first + rest.flat().join(''));

  const only = permissions({ deny: ['Read(.env)'] });
  const isAllowed = (text: string): boolean => only.decide(bash(root, text)).behavior === 'allow';

  function run(text: string): string {
    const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile', '-c', text], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: home, SECRET: 'hush' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 5_000,
    });
    return stdout + stderr;
  }

  beforeAll(() => {
    const { status } = spawnSync('git', ['init', '-q', '--template='], { cwd: root });
    expect(status).toBe(0);
  });

  it('PM-20: a line that is allowed because it only reads changes nothing when it runs', () => {
    const before = pictureOf(base);
    let allowed = 0;
    fc.assert(
      fc.property(line, (text) => {
        if (!isAllowed(text)) return;
        allowed += 1;
        run(text);
        expect(pictureOf(base), JSON.stringify(text)).toEqual(before);
      }),
      { numRuns: 1_500 },
    );
    expect(allowed).toBeGreaterThan(50);
  }, 120_000);

  it('PM-22: nor does it show what lies outside, what a rule denies, or what a variable holds', () => {
    expect(run('cat out/secret .env; echo $SECRET').match(/hush/g)).toHaveLength(3);
    let allowed = 0;
    fc.assert(
      fc.property(looking, (text) => {
        if (!isAllowed(text)) return;
        allowed += 1;
        expect(run(text), JSON.stringify(text)).not.toContain('hush');
      }),
      { numRuns: 1_500 },
    );
    expect(allowed).toBeGreaterThan(50);
  }, 120_000);

  it.each(
    [
      'ls '.repeat(3_000),
      'ls;'.repeat(3_000),
      'cat *;'.repeat(1_500),
      `cat ${'*/'.repeat(40)}*`,
      `cat ${'a/../'.repeat(1_500)}a.txt`,
      `cat ${'out/../'.repeat(1_000)}x`,
      'cd src;'.repeat(1_000),
      '$('.repeat(4_000),
      `grep ${'-'.repeat(5_000)}`,
      `cat ${'x'.repeat(9_000)}`,
      'touch .git;'.repeat(800),
      'x'.repeat(1_000_000),
      "'".repeat(9_999),
    ].map((text) => [text.slice(0, 12), text] as const),
  )('PM-33: a line of %j takes milliseconds', (_, command) => {
    const some = permissions({
      mode: 'acceptEdits',
      deny: ['Read(.env)', 'Edit(x/**)'],
      allow: ['Bash(make *)'],
    });
    const started = processorMs();
    some.decide(bash(root, command));
    expect(processorMs() - started).toBeLessThan(BOUND_MS);
    some.suggest(bash(root, command));
  });

  it('PM-33: whatever the input is, deciding and suggesting never throw', () => {
    const input = fc.oneof(
      fc.jsonValue(),
      fc.record({
        command: fc.jsonValue(),
        file_path: fc.jsonValue(),
        path: fc.jsonValue(),
        pattern: fc.jsonValue(),
      }),
      fc.record({
        command: fc.string(),
        file_path: fc.string(),
        path: fc.string(),
        pattern: fc.string(),
        url: fc.string(),
      }),
    );
    const toolName = fc.constantFrom(
      'Bash',
      'Read',
      'Write',
      'Edit',
      'NotebookEdit',
      'Glob',
      'Grep',
      'WebFetch',
      'other',
    );
    const some = permissions({
      allow: ['Bash(ls *)', 'Edit(src/**)'],
      deny: ['Read(.env)'],
      ask: ['Bash(make *)'],
    });
    fc.assert(
      fc.property(toolName, input, fc.boolean(), fc.string(), (name, given, readOnly, cwd) => {
        const call = { toolName: name, input: given, readOnly, cwd: `${root}/${cwd}` };
        expect(['allow', 'ask', 'deny']).toContain(some.decide(call).behavior);
        expect(Array.isArray(some.suggest(call))).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });
});
