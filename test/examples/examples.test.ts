/** Every example runs and prints what it should; every snippet of the README is taken from one, or from a guide, which runs too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/index.js';
import { compileProgram } from '../support/compile-program.js';
import { drawTour } from './draw-tour.js';
import { EXPECTED } from './expected.js';

const root = new URL('../../', import.meta.url);

/** The first one as `npm start` does, the others compiled: tsx takes longer than most of them. */
async function runExample(name: string) {
  if (name === '00-tour.ts') return execa('tsx', [`examples/${name}`], { cwd: root, preferLocal: true });
  return execa('node', [await compileProgram(new URL(`examples/${name}`, root))], { cwd: root });
}

const examples = readdirSync(new URL('examples/', root)).filter((name) => name.endsWith('.ts'));

describe('examples', () => {
  it('all have an expected output', () => {
    expect(examples).toEqual(Object.keys(EXPECTED));
  });

  it('LO-1: the example of the loop shows all fifteen events', () => {
    const lines = EXPECTED['07-agent-loop.ts']?.split('\n') ?? [];
    const shown = lines.flatMap((line) => /^ {2}(?:\(\w+\) )?([A-Z]\w+)/.exec(line)?.[1] ?? []);
    expect([...new Set(shown)].sort()).toEqual([...HOOK_EVENTS].sort());
  });

  it.each(examples)('%s prints what it should', { timeout: 90_000 }, async (name) => {
    const { stdout, stderr } = await runExample(name);
    // Frames have a code that nobody can guess.
    expect(stdout.replaceAll(/· [0-9a-f]{24} /g, '· … ')).toBe(EXPECTED[name]);
    expect(stderr).toBe('');
  });
});

/** Examples by need, each in a folder of its own. Agents of a team work at the same time, so the order of their lines is open. */
const NEEDS: readonly (readonly [string, readonly string[]])[] = [
  [
    'coding-agent/agent.ts',
    [
      'calls Bash {"command":"rm -rf node_modules"}',
      '  -> PreToolUse:Bash hook refused this call: Do not delete recursively. Name the files.',
      '  -> PreToolUse:Read hook refused this call: Secrets stay where they are.',
      '  -> key=[secret]',
      'The tests fail: sum(2, 3) is not 5. Mend the code before you stop.',
      'completed: sum adds now.',
      '"sum is wrong\\n"',
    ],
  ],
  [
    'research-team/team.ts',
    [
      'ada answers: The bridge is 42 m long, measured twice.',
      'ben answers: About 40 m.',
      'cleo answers: The bridge is 42 m long.',
      'ben votes for ada: measured twice',
      'winner: ada The bridge is 42 m long, measured twice.',
    ],
  ],
  [
    'support-agent/agent.ts',
    [
      'question: Refund {"order":"A-17","amount":120} (A person approves refunds above 50.)',
      'answer: We are sorry. 120 is on its way to you.',
      'tool: PreToolUse:Refund hook refused this call: Nobody refunds more than 500 here.',
      'tool: 120 refunded for A-17',
      'Eva: Apologise, please.',
    ],
  ],
];

describe('examples by need', () => {
  it.each(NEEDS)('%s does what its README says', { timeout: 90_000 }, async (path, expected) => {
    const { stdout, stderr } = await runExample(path);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...expected]));
    expect(stderr).toBe('');
  });

  it.each(['coding-agent', 'ci-job'])('the hook tests of %s pass, and check finds nothing', async (name) => {
    for (const command of ['check', 'test']) {
      const args = [command, '--cwd', `examples/${name}`, '--trust-workspace', '--no-user'];
      await execa('node', ['dist/cli/main.js', ...args], { cwd: root });
    }
  });
});

describe('hook tests', () => {
  it('those of the example project pass', async () => {
    const args = ['test', '--cwd', 'examples/projects/claude', '--trust-workspace', '--no-user'];
    const { exitCode, stdout } = await execa('node', ['dist/cli/main.js', ...args], { cwd: root });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('pushing by force is refused');
  });
});

describe('the picture', () => {
  it('shows what the tour prints; `npm run pictures` draws it anew', () => {
    const drawn = readFileSync(new URL('examples/tour.svg', root), 'utf8');
    expect(drawn).toBe(drawTour(EXPECTED['00-tour.ts'] ?? ''));
  });
});

describe('README', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const frameworks = readdirSync(new URL('examples/frameworks/', root)).filter((name) =>
    name.endsWith('.ts'),
  );
  const inFrameworks = frameworks.map((name) => `frameworks/${name}`);
  const examplesAndGuides = [
    ...[...examples, ...inFrameworks].map((name) => `examples/${name}`),
    'docs/start/shell.md',
  ];
  const sources = examplesAndGuides.map((path) => readFileSync(new URL(path, root), 'utf8'));
  const scripts: Record<string, string> = JSON.parse(
    readFileSync(new URL('package.json', root), 'utf8'),
  ).scripts;
  const blocks = [...readme.matchAll(/^```(ts|sh)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language: language ?? '',
    text: text ?? '',
  }));

  /** CI runs the two for a clone; the pages of docs/start run the others, with what they print. */
  const COMMANDS = [
    'npm ci && npm start\n',
    'npm ci && npm test\n',
    'npm install hookline\n',
    "npx hookline init\nnpx hookline fire PreToolUse --set tool_input.command='rm -rf /'\n",
  ];

  it('is short', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  });

  it('leads to no file that is not there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)];
    const missing = links
      .map(([, link, image]) => link ?? image ?? '')
      .filter((path) => !existsSync(new URL(path, root)));
    expect(missing).toEqual([]);
  });

  it('has snippets', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4);
  });

  it.each(blocks)('takes the $language snippet from an example, or runs it elsewhere: $text', ({ text }) => {
    expect(COMMANDS.includes(text) || sources.some((source) => source.includes(text))).toBe(true);
  });

  it('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, script]) => script ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});
