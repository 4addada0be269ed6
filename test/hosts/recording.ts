/** Recordings of real hosts: where they are, what they hold, and what the host was seen to do. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'smol-toml';
import type { Host, Spelling } from '../../src/dialects/host/host.js';
import { hostNamed } from '../../src/dialects/hosts.js';
import { eventCalled } from '../../src/hosts/decode.js';
import type { AnyEvent } from '../../src/index.js';
import { PLANNED_HOOK, type Plan, writePlan } from '../support/planned-hook.js';

const RECORDINGS = fileURLToPath(new URL('../../../shared/hosts/', import.meta.url));

export const recordingsPresent = existsSync(RECORDINGS);

type Json = Readonly<Record<string, unknown>>;

export interface HostRecording {
  readonly host: string;
  readonly scenario: string;
  readonly configured: Readonly<Record<string, readonly Json[]>>;
  readonly plan: Plan;
  readonly turns: readonly { readonly tools?: readonly { readonly name: string; readonly input: Json }[] }[];
  readonly hooksFired: readonly {
    readonly label?: string;
    readonly stdin?: Json;
    readonly envAdded?: Readonly<Record<string, string>>;
  }[];
  readonly requests: readonly Json[];
  readonly projectFiles: Readonly<Record<string, string>>;
  readonly runs: readonly { readonly exit: unknown }[];
}

export interface HostFire {
  readonly spelling: Spelling;
  readonly event: AnyEvent;
  /** What the first hook read. */
  readonly given: Json;
  /** What each hook read: one after another, the next ones read what the ones before it changed. */
  readonly inputs: ReadonlyMap<string, Json>;
  readonly labels: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function readRecordings(): HostRecording[] {
  return readdirSync(RECORDINGS).flatMap((host) =>
    readdirSync(join(RECORDINGS, host))
      .filter((file) => file.endsWith('.json'))
      .map((file) => JSON.parse(readFileSync(join(RECORDINGS, host, file), 'utf8')) as HostRecording),
  );
}

/** The event under which a label is configured; a recording may lack the entries of a second file. */
function configuredFor({ configured }: HostRecording, label: string): string {
  const names = Object.keys(configured);
  return names.find((name) => JSON.stringify(configured[name]).includes(`run ${label}"`)) ?? names[0] ?? '';
}

/** Hooks with the same input ran for one fire, each of them once. What a hook can change does not count. */
export function firesOf(recording: HostRecording): HostFire[] {
  const host = hostNamed(recording.host);
  const fires: (HostFire & { readonly key: string })[] = [];
  for (const { label, stdin, envAdded: env = {} } of recording.hooksFired) {
    if (label === undefined || stdin === undefined) continue;
    const named = eventCalled(host, configuredFor(recording, label));
    if (named === undefined) continue;
    const { tool_input: _, toolArgs: __, prompt: ___, tool_result: ____, toolResult: _____, ...rest } = stdin;
    // Without the time, two calls in one turn differ in nothing but what a hook can change.
    const key = JSON.stringify('timestamp' in stdin ? [named.event, rest] : [named.event, stdin]);
    const isNew = (fire: HostFire): boolean =>
      !fire.labels.includes(label) || JSON.stringify(fire.inputs.get(label)) === JSON.stringify(stdin);
    const index = fires.findIndex((fire) => fire.key === key && isNew(fire));
    const known = fires[index];
    const fire = known ?? { ...named, given: stdin, inputs: new Map(), env, labels: [], key };
    const inputs = new Map([...fire.inputs, [label, stdin]]);
    const next = { ...fire, inputs, labels: [...fire.labels, label] };
    if (known === undefined) fires.push(next);
    else fires[index] = next;
  }
  return fires;
}

/** Where the scenario had its hooks, by the name that it was given. */
function fileOf(host: Host, scenario: string): { layer: 'user' | 'project'; path: string } {
  const wanted = /^(project|repo)-/.test(scenario) ? 'project' : 'user';
  const format = scenario.startsWith('toml') ? 'toml' : 'json';
  const place = host.files.find((each) => each.layer === wanted && each.format === format);
  if (place === undefined) throw new Error(`no file for ${scenario}`);
  return { layer: wanted, path: place.path.replace('*', 'recorded') };
}

/** A home and a project with the recorded hooks, in the files in which they were. */
export function setUp(recording: HostRecording) {
  const host = hostNamed(recording.host);
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-hosts-')));
  const [project, home, run] = ['project', 'home', 'run'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [project, home, run]) mkdirSync(folder);
  writePlan(run, recording.plan);
  const filled = (value: unknown): Json =>
    JSON.parse(
      JSON.stringify(value).replaceAll('node <H>/recorder.mjs', PLANNED_HOOK).replaceAll('<TMP>', dir),
    );
  const write = (layer: 'user' | 'project', path: string, hooks: unknown): void => {
    const file = join(layer === 'user' ? join(home, host.home.folder) : project, path);
    mkdirSync(dirname(file), { recursive: true });
    const content = { ...host.newFile, hooks: filled(hooks) };
    writeFileSync(file, path.endsWith('.toml') ? stringify(content) : JSON.stringify(content, null, 2));
  };
  const { layer, path } = fileOf(host, recording.scenario);
  const ofClaude = recording.scenario.startsWith('claude-settings');
  if (ofClaude) {
    mkdirSync(join(project, '.claude'));
    writeFileSync(
      join(project, '.claude', 'settings.json'),
      JSON.stringify({ hooks: filled(recording.configured) }),
    );
  } else write(layer, path, recording.configured);
  const elsewhere = missingEntries(recording);
  if (elsewhere !== undefined) write('project', fileOf(host, 'project-').path, elsewhere);
  return { host, dir, project, home, run };
}

/** Hooks that ran and are not in the recorded configuration were in the file of the other layer. */
function missingEntries(recording: HostRecording): Readonly<Record<string, readonly Json[]>> | undefined {
  const [event = '', groups = []] = Object.entries(recording.configured)[0] ?? [];
  const written = JSON.stringify(recording.configured);
  const labels = recording.hooksFired.flatMap(({ label }) =>
    label === undefined || written.includes(`run ${label}"`) ? [] : [label],
  );
  const [model] = groups;
  if (labels.length === 0 || model === undefined) return undefined;
  const entry = (label: string): Json =>
    JSON.parse(
      JSON.stringify(model)
        .replaceAll(/run [\w-]+"/g, `run ${label}"`)
        .replaceAll(/"name":"[\w-]+"/g, `"name":"${label}"`),
    );
  return { [event]: labels.map(entry) };
}

export const marksIn = (value: unknown): string[] => [
  ...new Set(JSON.stringify(value ?? null).match(/M-[\w-]+/g) ?? []),
];
