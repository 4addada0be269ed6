import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type PermissionOptions, Permissions } from '../../src/permissions/permissions.js';
import { compileCondition } from '../../src/permissions/rule.js';
import { EVERYDAY, EVERYDAY_ON_FILES } from './corpus/everyday.js';
import { HARMLESS } from './corpus/harmless.js';
import { HOSTILE } from './corpus/hostile.js';
import { LISTED } from './corpus/listed.js';
import { doesHarm, makeFolder, refuseToRun } from './corpus/sandbox.js';
import { SITUATIONS, type Situation } from './corpus/situations.js';
import { bash } from './workspace.js';

const root = makeFolder();
const home = join(root, '..', 'home');
afterAll(() => rmSync(join(root, '..'), { recursive: true, force: true }));

const decide = (options: PermissionOptions, line: string): string =>
  new Permissions({ root, home, ...options }).decide(bash(root, line)).behavior;
const met = compileCondition('Bash(rm *)', { root, home });

describe.each(Object.entries(SITUATIONS))('hostile lines, %s', (name, { options }: Situation) => {
  const lines = HOSTILE.filter(({ situation }) => situation === name);

  it.each(lines)('$rule $line is not allowed', ({ line }) => {
    expect(decide(options, line)).not.toBe('allow');
  });

  it.each(name === 'default' ? lines : [])('PM-2 PM-12 $line is denied by plan and dontAsk', ({ line }) => {
    expect([decide({ mode: 'plan' }, line), decide({ mode: 'dontAsk' }, line)]).toEqual(['deny', 'deny']);
  });

  it.each(name === 'denyRemove' ? lines : [])('IF-10 the condition of a hook is met by $line', ({ line }) => {
    expect(met({ tool_name: 'Bash', tool_input: { command: line }, cwd: root })).toBe(true);
  });
});

describe('ordinary lines', () => {
  it.each(HARMLESS)('PM-20 %s runs in default mode, also beside rules that deny other things', (line) => {
    expect(decide({}, line)).toBe('allow');
    expect(decide({ deny: ['Bash(rm *)', 'Read(./.env)'] }, line)).toBe('allow');
  });

  it.each(LISTED)('PM-22 %s runs in default mode: the names that it reads are looked up', (line) => {
    expect(decide({}, line)).toBe('allow');
  });

  it.each(EVERYDAY)('PM-35 %s runs where Bash is allowed and other things are denied', (line) => {
    expect(decide({ allow: ['Bash'], deny: ['Bash(rm *)', 'Read(./.env)'] }, line)).toBe('allow');
  });
});

describe('the corpus', () => {
  it.each([
    'pkill node',
    'kill -9 -1',
    'rm -rf /etc/x',
    "bash -c 'rm -rf /usr/lib'",
    'cp a.txt /bin/ls',
    'echo x > /etc/passwd',
    'ln -sf x /usr/bin/y',
    'rm -rf /',
    'rm -rf ../../x',
  ])('PM-35 %s is never run to see its harm', (line) => {
    expect(() => doesHarm(line, 'changes')).toThrow('is not run');
  });

  it('PM-35 ordinary lines of the corpus are run', () => {
    expect(['/bin/rm victim', 'cp /bin/rm x; ./x victim', 'rm victim'].map(refuseToRun)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('PM-35 has the size that the page says, and no line twice in a situation', () => {
    const keys = HOSTILE.map(({ situation, line }) => `${situation} ${line}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    const page = readFileSync(new URL('../../spec/permissions.md', import.meta.url), 'utf8');
    const counts = [
      ...Object.keys(SITUATIONS).map((name) => [
        name,
        HOSTILE.filter(({ situation }) => situation === name).length,
      ]),
      ['harmless', HARMLESS.length],
      ['listed', LISTED.length],
      ['everyday', EVERYDAY.length + EVERYDAY_ON_FILES.length],
    ];
    for (const [name, count] of counts)
      expect(page).toMatch(new RegExp(`^\\| \`${name}\` .*\\| ${count} \\|$`, 'm'));
    expect(HOSTILE.length).toBeGreaterThan(400);
    expect(HARMLESS.length).toBeGreaterThan(60);
  });
});
