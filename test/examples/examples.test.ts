/** Every example runs and prints what it should; every snippet of the README is taken from one, or from a guide, which runs too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/index.js';
import { compileProgram } from '../support/compile-program.js';
import { drawTour } from './draw-tour.js';

const root = new URL('../../', import.meta.url);

const EXPECTED: Readonly<Record<string, string>> = {
  '00-tour.ts': `you      Greet the world.
agent    I begin with a clean slate.
tool     Bash {"command":"rm -rf build"}
refused  PreToolUse:Bash hook refused this call: nothing is deleted here
agent    Then without.
tool     Write {"file_path":"hello.txt","content":"Hello, world.\\n"}
result   the file is written
you      "Better in Welsh!" is queued
you      "Better in Welsh!" is delivered
agent    In Welsh, then.
tool     Write {"file_path":"hello.txt","content":"Helo, fyd.\\n"}
result   the file is written
agent    Done.
hook     Stop hook feedback: say in one sentence what you did
agent    I wrote a greeting in Welsh.
end      completed: I wrote a greeting in Welsh.
file     Helo, fyd.`,
  '01-first-hooks.ts': `Bash {"command":"ls"}
    hook no-recursive-delete was asked
  runs with {"command":"ls"}
Bash {"command":"rm -rf build"}
    hook no-recursive-delete was asked
  denied: rm -rf is not for agents
Write {"file_path":"notes.md","content":"hello"}
    hook keep-in-workspace was asked
  runs with {"file_path":"workspace/notes.md","content":"hello"}
the agent wants to stop
    hook tests-first was asked
  goes on: run the tests first
the agent wants to stop
    hook tests-first was asked
  stops`,
  '02-block-a-tool.ts': 'deny - Bash is switched off today',
  '03-shell-guard.ts': `src/index.ts: no objection
.env: deny (secrets stay where they are)
a guard that is missing: deny, failed-to-start`,
  '04-watch-messages.ts': `hook_started warm-up
hook_progress warm-up "half way\\n"
hook_response warm-up success ""
hook_started check
hook_progress check "checking\\n"
hook_response check success "checking\\n"
for the model: The cache is warm.`,
  '05-late-answers.ts': `The linter found nothing.
The tests pass.`,
  '06-claude-settings.ts': `This hook does not run: it comes with the workspace and is not approved yet; review and approve it.
git status: the guard is not asked (condition)
git push --force: the guard is asked
  denied: pushing by force is for people`,
  '07-agent-loop.ts': `  Setup init
  SessionStart startup
  UserPromptSubmit sdk
  PreToolUse Bash
refused or failed: PreToolUse:Bash hook refused this call: nothing is deleted here
  PreToolUse Bash
  PostToolUseFailure Bash
refused or failed: Exit code 1
  PreToolUse TaskCreate
  PostToolUse TaskCreate
  PreToolUse Write
  PermissionRequest Write
  Notification permission_prompt
  PostToolUse Write
  PreToolUse TaskUpdate
  TaskCompleted Write the greeting
  PostToolUse TaskUpdate
  PreToolUse Agent
  (scout) SubagentStart
I have looked around.
  (scout) SubagentStop
  (scout) TeammateIdle ada
Nothing new.
  (scout) SubagentStop
  (scout) TeammateIdle ada
  PostToolUse Agent
  UserPromptSubmit system
Done.
  Stop
I wrote hello.txt.
  Stop
result: completed, I wrote hello.txt.
  PreCompact manual
  SessionStart compact
result: compacted
  SessionEnd other`,
  '08-injection.ts': `ada: The bridge is 42 m long.
[injection] human Eva -> ben: queued as tool_result
[injection] system mid-stream-injection -> ben: queued as tool_result
[injection] peer agent1 -> ben: queued as tool_result
[injection] human Eva -> ben: delivered as tool_result
[injection] system mid-stream-injection -> ben: delivered as tool_result
[injection] peer agent1 -> ben: delivered as tool_result
ben: Ada has the bridge. The tower is 42 m high.

What Ben read behind his measurement:
the tower: 42 m
┌── message from outside · … · from human "Eva" · id "eva-1" ──
│ Metres, please.
└── end of message · … ──
┌── message from outside · … · from system "mid-stream-injection" · id "peers-fcd86ca37c9debb3fe9325f9" ──
│ A peer has handed in an answer:
│ - agent1: agent1.1 (its first one that you see)
│ It follows as a message from its author.
│
│ Before you go on, compare each answer with your own work. Take over what is better there, keep what is better here, and say in one sentence what you have decided.
└── end of message · … ──
┌── message from outside · … · from peer "agent1" · id "peer-93c82131744c7b6ae40e9b7e" ──
│ The bridge is 42 m long.
└── end of message · … ──`,
  '09-live-view.ts': `ada
  turn 1: How long is the bridge?
    is told something by a person
    says I begin with the bridge.
    calls Measure {"what":"the bridge"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says The bridge is 42 m long.
    hook write-it-down on Stop
    completed
ben
  turn 1: How high is the tower?
    says First what is below.
    calls Measure {"what":"the cellar"}
    hook no-demolition on PreToolUse
    refused: PreToolUse:Measure hook refused this call: the cellar is closed
    says Then what is above.
    calls Measure {"what":"the tower"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says The tower is 42 m high, the cellar is closed.
    hook write-it-down on Stop
    completed
cleo
  turn 1: How wide is the garden?
    says The garden, then.
    calls Measure {"what":"the garden"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says And the pond.
    calls Measure {"what":"the pond"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says Garden and pond are 42 m wide.
    hook write-it-down on Stop
    completed`,
  '10-claude-agent-sdk.ts': `git push {}
git push --force {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not by force"}}`,
  '11-mcp-server.ts': `result: noted: buy milk
refused: secrets are not noted
result: noted: and bread
┌── message from outside · … · from peer "ben" · id "m1" ──
│ The shop closes at six.
└── end of message · … ──`,
  '12-several-processes.ts': `ada knows: ada wins with 2 votes; { cyd: 'its process gave no sign of life for 5 s' }
ben knows: ada wins with 2 votes; { cyd: 'its process gave no sign of life for 5 s' }
cyd was killed`,
  '13-your-own-model.ts': `stressed: desserts
look: olleh`,
  '14-opentelemetry.ts': `telemetry is on
turn 1
  hookline.fire PreToolUse: deny
    hookline.hook ask-the-registry: callback, success
      look up the owner
    hookline.hook joins-the-trace: command, success
    hookline.hook guard: callback, success, deny`,
  '15-your-own-loop.ts': `model reads: Measure the bridge.
model reads: refused: nothing is deleted here
model reads: Bash did {"command":"nice measure bridge"}

┌── message from outside · … · from human "Eva" · id "eva-1" ──
│ In metres, please.
└── end of message · … ──
model says:  42 m.
model reads: Say what you did.
model says:  I measured the bridge: 42 m.
answer:      I measured the bridge: 42 m.`,
  '16-your-own-events.ts': `staging 1.3.0-rc.1: go
production 1.3.0-rc.1: deny, 1.3.0-rc.1 is a pre-release.
production 1.3.0: go (OPS-12)
staging 0.9.0: deny, not 1.0 yet`,
  '17-wiring.ts': `The bridge is 42 m long.
Eva: Metres, please.`,
  '18-around-the-model.ts': `  audit: small answered a turn with 1 block(s)
2 + 2? It is 4.
  audit: large answered a turn with 1 block(s)
2 + 2? It is 4.
  audit: large answered a turn with 1 block(s)
My card is 4111 1111 1111 1111. I keep [number] to myself.
Delete it. beforeModel refused: this agent deletes nothing
large was sent: My card is [number].`,
};

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
