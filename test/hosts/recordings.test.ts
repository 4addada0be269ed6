/** The same hooks, started by our runner from the same files, give the outcome that the real host acted on. */
import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { hostNamed } from '../../src/dialects/hosts.js';
import { decodeEvent } from '../../src/hosts/decode.js';
import { type AnyEvent, createTrustStore, type HookOutcome, Runner } from '../../src/index.js';
import { type Ran, ranSoFar } from '../support/planned-hook.js';
import {
  firesOf,
  type HostFire,
  type HostRecording,
  marksIn,
  readRecordings,
  recordingsPresent,
  setUp,
} from './recording.js';

/** Scenarios that the written differences name. */
const spec = readFileSync(new URL('../../spec/hosts.md', import.meta.url), 'utf8');
const isListed = ({ host, scenario }: HostRecording): boolean => spec.includes(`\`${host}/${scenario}\``);

type Effects = Partial<Record<string, unknown>>;

/** After so many rounds in a row these hosts end a turn, whatever its hooks say. Here a hook has to count. */
const MOST_ROUNDS: Readonly<Record<string, number>> = { copilot: 9, qwen: 100 };

/** The model's tool writes this file; what is in it shows which input it ran with. */
const wroteTo = (line: unknown): string | undefined => /echo (\w+) > ran\.txt/.exec(String(line))?.[1];

/** What the host did with a fire, as far as it shows. */
function seen(
  { host, requests, projectFiles, runs }: HostRecording,
  fires: readonly HostFire[],
  index: number,
): Effects {
  const { event, given } = fires[index] as HostFire;
  const killed = runs.some(({ exit }) => typeof exit !== 'number');
  const input = (given['tool_input'] ?? given['toolArgs']) as { command?: string } | undefined;
  if (event === 'PreToolUse' && wroteTo(input?.command) !== undefined)
    return { 'the tool ran with': projectFiles['ran.txt']?.trim() };
  if (event === 'UserPromptSubmit' || event === 'SessionStart')
    return { 'the run began': requests.length > 0 };
  const rounds = fires.filter((fire) => fire.event === 'Stop').length;
  if (event === 'Stop' && !killed && rounds !== MOST_ROUNDS[host]) {
    const later = fires.slice(index + 1).some((fire) => fire.event === 'Stop');
    return { 'the agent went on': later };
  }
  return event === 'PostToolUse' ? { 'the model was called again': requests.length > 1 } : {};
}

/** What a loop does with our outcome. */
function acted({ event, decision, updatedInput, ...outcome }: HookOutcome, input: unknown): Effects {
  const { tool_input } = input as { tool_input?: unknown };
  const { command } = (updatedInput ?? tool_input ?? {}) as { command?: unknown };
  const ends = outcome.continue === false;
  const refused = decision === 'deny' || decision === 'ask' || ends;
  if (event === 'PreToolUse') return { 'the tool ran with': refused ? undefined : wroteTo(command) };
  if (event === 'UserPromptSubmit' || event === 'SessionStart')
    return { 'the run began': !ends && !(event === 'UserPromptSubmit' && decision === 'deny') };
  if (event === 'Stop') return { 'the agent went on': decision === 'deny' && !ends };
  return event === 'PostToolUse' ? { 'the model was called again': !ends } : {};
}

/** What the model reads because of an outcome: nothing when the run ends. */
function marksWeSend({ event, decision, reason, ...outcome }: HookOutcome): string[] {
  const refused = decision === 'deny';
  if (outcome.continue === false || (event === 'UserPromptSubmit' && refused)) return [];
  return marksIn([outcome.additionalContext, refused && reason, outcome.updatedOutput]);
}

/** What a fire cannot know, and what the recording has shortened. */
function comparable(stdin: Readonly<Record<string, unknown>>, dir: string): unknown {
  const { timestamp: _, tool_response, toolResult, tool_result, ...rest } = stdin;
  const responses = [tool_response, toolResult, tool_result].map((value) => {
    const { returnDisplay: __, ...shown } = (value ?? {}) as Record<string, unknown>;
    return typeof value === 'object' ? shown : value;
  });
  return JSON.parse(JSON.stringify({ rest, responses }).replaceAll(dir, '<TMP>'));
}

function compareInputs(ran: readonly Ran[], fire: HostFire, dir: string): void {
  for (const { stdin, env, label } of ran) {
    const given = fire.inputs.get(label) ?? {};
    expect(comparable(stdin, dir), `the input of ${label}`).toEqual(comparable(given, dir));
    const wanted = Object.keys(fire.env).filter((name) => /_PROJECT_DIR$|_CWD$|_SESSION_ID$/.test(name));
    for (const name of wanted) expect(env[name]?.replaceAll(dir, '<TMP>'), name).toBe(fire.env[name]);
  }
}

/** A hook that cannot be started, or is skipped, leaves no input: the call is that of the model's first turn. */
function firesToReplay(recording: HostRecording): HostFire[] {
  const fires = firesOf(recording);
  const [call] = recording.turns[0]?.tools ?? [];
  if (fires.length > 0 || call === undefined || !/missing|untrusted/.test(recording.scenario)) return fires;
  const host = hostNamed(recording.host);
  const [spelling] = host.spellings;
  const given = {
    hook_event_name: spelling.events['PreToolUse']?.name,
    tool_name: call.name,
    tool_input: call.input,
  };
  return [{ spelling, event: 'PreToolUse', given, inputs: new Map(), labels: [], env: {} }];
}

async function replay(recording: HostRecording): Promise<void> {
  const { host, dir, project, home, run } = setUp(recording);
  const runner = new Runner({ cwd: project, onWarning: () => {} });
  try {
    const trust = recording.scenario.includes('untrusted')
      ? createTrustStore({ file: `${dir}/trust.json` })
      : 'workspace';
    const options = { cwd: project, trust } as const;
    runner.use(await loadHostConfig(host, { ...options, home }), { onLostProtection: 'warn' });
    const fires = firesToReplay(recording);
    const ours: string[] = [];
    // Whether the model reads why a person was to be asked depends on whether there is one.
    const asked: string[] = [];
    for (const [index, fire] of fires.entries()) {
      const before = ranSoFar(run);
      const text = JSON.stringify(fire.given).replaceAll('<TMP>', dir);
      const decoded = decodeEvent(host, text, fire.spelling.events[fire.event]?.name);
      if (!decoded.ok) throw new Error(decoded.problem);
      const { input } = decoded.call;
      const outcome = (await runner.fire(fire.event as 'Stop', input as never)) as HookOutcome<AnyEvent>;
      const ran = [...ranSoFar(run)].flatMap(([name, each]) => (before.has(name) ? [] : [each]));
      expect(ran.map(({ label }) => label).sort(), `hooks on ${fire.event}`).toEqual([...fire.labels].sort());
      compareInputs(ran, fire, dir);
      const theirs = seen(recording, fires, index);
      expect(acted(outcome, input), `${fire.event} ${outcome.reason ?? ''}`).toMatchObject(theirs);
      ours.push(...marksWeSend(outcome));
      if (outcome.decision === 'ask') asked.push(...marksIn(outcome.reason));
    }
    const said = marksIn(recording.plan);
    const told = marksIn(recording.requests).filter((mark) => said.includes(mark) && !asked.includes(mark));
    // Of several reasons, one is told.
    if (fires.some(({ labels }) => labels.length > 1)) expect(told).toEqual(expect.arrayContaining(ours));
    else expect([...new Set(ours)].sort(), 'what the model reads').toEqual(told.sort());
  } finally {
    await runner.dispose();
    rmSync(dir, { recursive: true, force: true });
  }
}

describe.skipIf(!recordingsPresent)('what the real hosts did with the same hooks', () => {
  // Where the host fired nothing, there is nothing to compare.
  const telling = recordingsPresent ? readRecordings().filter((each) => firesToReplay(each).length > 0) : [];
  for (const recording of telling) {
    const listed = isListed(recording);
    const title = `${recording.host} ${recording.scenario}${listed ? ' (listed as a difference)' : ''}`;
    it.concurrent(`HS-1 ${title}`, { timeout: 60_000 }, async () => {
      if (listed) await expect(replay(recording)).rejects.toThrow();
      else await replay(recording);
    });
  }
});

if (!recordingsPresent)
  console.warn('The recordings of other hosts are not here: the comparison with them is skipped.');
