/** The same hooks, started from the same settings, give the outcome that the real Claude Code acted on. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HookOutcome, loadClaudeSettings, Runner } from '../../src/index.js';
import { isPlain, PLANNED_HOOK, type Plan, ranSoFar, writePlan } from '../support/planned-hook.js';
import {
  extraSettings,
  firesOf,
  marksIn,
  marksOfHooks,
  marksSent,
  oracle,
  type RecordedFire,
  type Recording,
  readRecordings,
  requestsOf,
  stopsOf,
  toolRan,
} from './recording.js';

const FAMILIES = [
  'pre-',
  'post-',
  'postfail-',
  'prompt-',
  'sessionstart-',
  'stop-',
  'io-',
  'async-',
  'matcher-',
];

/** Scenarios that the written differences name: those are looked at by people. */
const [differences = ''] = readFileSync(new URL('../../spec/parity.md', import.meta.url), 'utf8').split(
  '**PA-2**',
);
const isListed = (scenario: string): boolean => differences.includes(`\`${scenario}\``);

/** A project with the recorded settings, and hooks that do what the recorded plan says. */
async function setUp(recording: Recording) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-parity-')));
  const project = join(dir, 'project');
  const run = join(dir, 'run');
  mkdirSync(join(project, '.claude'), { recursive: true });
  mkdirSync(run);
  const plain = isPlain(recording.plan);
  if (plain) writePlan(run, recording.plan as Plan);
  else writeFileSync(join(run, 'plan.json'), JSON.stringify(recording.plan));
  const hook = plain ? PLANNED_HOOK : `node ${oracle.dir}/hook/recorder.mjs`;
  // A busy machine takes more than a second to start a hook; those that are too slow take four to eight.
  const slower = (key: string, value: unknown) => (key === 'timeout' && value === 1 ? 3 : value);
  const hooks = JSON.stringify(recording.hooksConfigured, slower)
    .replaceAll('node <ORACLE>/hook/recorder.mjs', hook)
    .replaceAll('<RUN>', run);
  writeFileSync(join(project, '.claude', 'settings.json'), `{ "hooks": ${hooks} }`);
  const extra = await extraSettings(recording.scenario);
  mkdirSync(join(dir, 'home'));
  for (const [file, labels] of [
    [join(dir, 'home', 'settings.json'), extra.user],
    [join(project, '.claude', 'settings.local.json'), extra.local],
  ] as const) {
    const commands = (labels ?? []).map((label) => `${hook} ${run} ${label}`);
    const groups = commands.map((command) => ({ hooks: [{ type: 'command', command }] }));
    if (labels !== undefined) writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: groups } }));
  }
  const config = await loadClaudeSettings({
    cwd: project,
    configDir: join(dir, 'home'),
    managedFile: null,
    trust: 'workspace',
  });
  const runner = new Runner({ cwd: project, permissionMode: 'default' });
  runner.use(config, { onLostProtection: 'warn' });
  return { runner, dir, project, run };
}

function labelsSoFar(run: string): string[] {
  if (existsSync(join(run, 'ran'))) return [...ranSoFar(run).keys()];
  try {
    return readdirSync(join(run, 'hooklog')).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** What our outcome would send to the model: nothing when the run ends, no context with a prompt that is refused. */
function marksWeSend(outcome: HookOutcome): string[] {
  const { event, additionalContext, decision, updatedOutput, updatedInput, results } = outcome;
  const refused = decision === 'deny' || decision === 'ask';
  if (outcome.continue === false || decision === 'defer' || (event === 'UserPromptSubmit' && refused))
    return [];
  const reasons = results.filter((result) => result.decision === decision).map(({ reason }) => reason);
  const told = event === 'PreToolUse' ? outcome.reason : reasons;
  return marksIn([additionalContext, refused && told, updatedOutput, !refused && updatedInput]);
}

/** What the reference did with a fire, as far as it shows; undefined where it does not show. */
function judge(recording: Recording, fire: RecordedFire, index: number): Partial<Record<string, boolean>> {
  const { event, input } = fire;
  const ran = toolRan(recording, input['tool_use_id']);
  if (event === 'PreToolUse') return { 'tool runs': ran };
  if (event === 'UserPromptSubmit') return { 'prompt goes to the model': requestsOf(recording) > 0 };
  if (event === 'Stop') return { 'goes on': stopsOf(recording) > index + 1 };
  return {};
}

function act(outcome: HookOutcome, gated: boolean): Partial<Record<string, boolean>> {
  const { event, decision } = outcome;
  const refused = decision === 'deny' || decision === 'ask' || decision === 'defer';
  if (event === 'PreToolUse') return gated && !refused ? {} : { 'tool runs': !refused };
  if (event === 'UserPromptSubmit') {
    return { 'prompt goes to the model': decision !== 'deny' && outcome.continue !== false };
  }
  if (event === 'Stop') return { 'goes on': decision === 'deny' && outcome.continue !== false };
  return {};
}

async function replay(recording: Recording): Promise<void> {
  const { runner, dir, project, run } = await setUp(recording);
  const sent: string[] = [];
  const late: string[] = [];
  const said = new Set<string>();
  try {
    for (const [index, fire] of firesOf(recording).entries()) {
      const before = new Set(labelsSoFar(run));
      const outcome = await runner.fire(fire.event, { ...fire.input, cwd: project } as never);
      await runner.drain();
      sent.push(...marksWeSend(outcome));
      late.push(...marksIn(runner.takeLate()));
      const ran = labelsSoFar(run)
        .filter((name) => !before.has(name))
        .map((name) => name.split('.')[0]);
      expect(ran.sort(), `hooks that ran on ${fire.event}`).toEqual([...fire.labels].sort());
      for (const mark of marksOfHooks(recording, fire.labels)) said.add(mark);
      expect(judge(recording, fire, index)).toMatchObject(
        act(outcome, /gated|touch|rule/.test(recording.scenario)),
      );
    }
    const theirs = [...marksSent(recording)].filter((mark) => said.has(mark));
    const ours = sent.filter((mark) => said.has(mark));
    // Late answers reach the model with the next request, if there is one: whether there was, a fire cannot know.
    const unexplained = theirs.filter((mark) => !late.includes(mark));
    expect([...new Set(ours)].sort(), 'what the model reads').toEqual(unexplained.sort());
  } finally {
    await runner.dispose();
    rmSync(dir, { recursive: true, force: true });
  }
}

describe.skipIf(!oracle.present)('what the real Claude Code did with the same hooks', () => {
  const recordings = oracle.present ? readRecordings(FAMILIES) : [];
  for (const recording of recordings) {
    const title = `${recording.scenario}${isListed(recording.scenario) ? ' (listed as a difference)' : ''}`;
    it.concurrent(`PA-1 ${title}`, { timeout: 60_000 }, async () => {
      if (isListed(recording.scenario)) await expect(replay(recording)).rejects.toThrow();
      else await replay(recording);
    });
  }
});

if (!oracle.present)
  console.warn('The recordings of Claude Code are not here: the comparison with them is skipped.');
