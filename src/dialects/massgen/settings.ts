/** What a MassGen file says in addition to its hooks: the agents, and how they work together. */
import { isAbsolute, resolve } from 'node:path';
import type { Node } from 'yaml';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { isTypo } from '../../base/text/typo.js';
import type { MassgenAgent, MassgenSettings } from './types.js';
import type { YamlFile } from './yaml.js';

const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

export function readSettings(yaml: YamlFile, folder: string): MassgenSettings {
  const unread: string[] = [];
  const root = new Section(yaml, yaml.root, '', unread);
  root.ignore('hooks');
  const orchestrator = root.section('orchestrator');
  const coordination = orchestrator.section('coordination');
  const shared = [coordination, orchestrator, root];
  const settings = {
    maxAnswers: orchestrator.count('max_new_answers_per_agent', 1),
    taskPlanning: coordination.flag('enable_agent_task_planning') ?? false,
    tasksInFiles: coordination.flag('task_planning_filesystem_mode') ?? false,
    agents: agentSections(root).map((agent, i) => readAgent(agent, shared, i, folder)),
    timeoutSeconds: root.section('timeout_settings').seconds('orchestrator_timeout_seconds', 1),
  };
  // Settings for all are checked even if there is no agent.
  readShared(shared);
  root.finish();
  noteUnread(yaml, unread);
  checkIds(yaml, settings.agents);
  return settings;
}

function agentSections(root: Section): readonly Section[] {
  const single = root.section('agent');
  return [...root.sections('agents'), ...(single.exists ? [single] : [])];
}

function readAgent(agent: Section, shared: readonly Section[], index: number, folder: string): MassgenAgent {
  const backend = agent.section('backend');
  // Hooks are read elsewhere, and refused where they are misplaced.
  for (const section of [agent, backend]) section.ignore('hooks');
  const seconds = backend.seconds('debug_delay_seconds');
  const afterTools = backend.count('debug_delay_after_n_tools', 1);
  const cwd = backend.text('cwd');
  return {
    id: agent.name('id') ?? `agent${index + 1}`,
    backend: backend.text('type'),
    model: backend.text('model'),
    baseUrl: backend.text('base_url'),
    apiKey: backend.text('api_key'),
    systemMessage: agent.text('system_message') ?? backend.text('system_message'),
    workspace: cwd === undefined || isAbsolute(cwd) ? cwd : resolve(folder, cwd),
    commandLine: backend.flag('enable_mcp_command_line') ?? false,
    ...(seconds !== undefined && seconds > 0 && { debugDelay: { seconds, afterTools } }),
    ...readShared([backend, agent, ...shared]),
  };
}

/** The nearest section that names a key decides. */
function readShared(sections: readonly Section[]): Pick<MassgenAgent, 'rounds' | 'peerUpdates'> {
  const limits = sections.map((section) => section.section('timeout_settings'));
  const first = <T>(from: readonly Section[], read: (section: Section) => T | undefined): T | undefined =>
    from.map(read).find((value) => value !== undefined);
  const limit = (key: string): number | undefined => first(limits, (section) => section.seconds(key));
  const flag = (key: string): boolean | undefined => first(sections, (section) => section.flag(key));
  const rounds = {
    initialSeconds: limit('initial_round_timeout_seconds'),
    subsequentSeconds: limit('subsequent_round_timeout_seconds'),
    graceSeconds: limit('round_timeout_grace_seconds'),
  };
  const isLimited = rounds.initialSeconds !== undefined || rounds.subsequentSeconds !== undefined;
  return {
    ...(isLimited && { rounds }),
    peerUpdates: {
      deferPeerUpdatesUntilRestart: flag('defer_peer_updates_until_restart'),
      allowMidstreamPeerUpdatesBeforeChecklistSubmit: flag(
        'allow_midstream_peer_updates_before_checklist_submit',
      ),
      maxPerRound: first(sections, (section) => section.count('max_midstream_injections_per_round')),
    },
  };
}

function noteUnread(yaml: YamlFile, unread: readonly string[]): void {
  const names = [...new Set(unread)];
  if (names.length === 0) return;
  const message = `Not read here, so without effect: ${names.join(', ')}.`;
  yaml.report('info', 'not_read_here', message, yaml.sourceOf(yaml.root));
}

function checkIds(yaml: YamlFile, agents: readonly MassgenAgent[]): void {
  const twice = agents.find(({ id }, i) => agents.findIndex((other) => other.id === id) < i);
  if (twice === undefined) return;
  const message = `Two agents have the id ${JSON.stringify(twice.id)}; hooks and settings of one would apply to the other. Give each its own.`;
  yaml.safeError('duplicate_agent_id', message, yaml.get(yaml.root, 'agents'));
}

/** Records of a team have the name in their ids, which are at most 256 characters long. */
const MAX_NAME = 100;
const NAME = new RegExp(`^[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,${MAX_NAME}}$`, 'u');
/** All agents, and what is no key of an object. */
const RESERVED: ReadonlySet<string> = new Set(['*', '__proto__']);

/** A mapping that records which keys are read, so that the unknown ones can be reported. */
class Section {
  readonly #yaml: YamlFile;
  readonly #node: Node | undefined;
  readonly #path: string;
  readonly #unread: string[];
  /** The keys that were asked for, with the section below, where it is one. */
  readonly #known = new Map<string, readonly Section[]>();
  readonly #rejected = new Set<string>();

  constructor(yaml: YamlFile, node: Node | undefined, path: string, unread: string[]) {
    this.#yaml = yaml;
    this.#node = node;
    this.#path = path;
    this.#unread = unread;
  }

  get exists(): boolean {
    return this.#node !== undefined;
  }

  ignore(key: string): void {
    this.#read(key);
  }

  section(key: string): Section {
    const node = this.#read(key);
    if (node !== undefined && this.#yaml.entries(node) === undefined) this.#reject(key, node, 'a mapping');
    const [section = this.#below(node, key)] = this.#known.get(key) ?? [];
    this.#known.set(key, [section]);
    return section;
  }

  sections(key: string): readonly Section[] {
    const node = this.#read(key);
    const items = this.#yaml.items(node);
    if (node !== undefined && items === undefined) this.#reject(key, node, 'a list');
    for (const item of items ?? [])
      if (item !== undefined && this.#yaml.entries(item) === undefined)
        this.#reject(`${key}[]`, item, 'a mapping');
    const sections = (items ?? []).map((item) => this.#below(item, `${key}[]`));
    this.#known.set(key, sections);
    return sections;
  }

  text(key: string): string | undefined {
    const node = this.#read(key);
    const value = this.#yaml.scalar(node);
    if (node === undefined || typeof value === 'string') return value as string | undefined;
    if (typeof value === 'number') return String(value);
    return this.#reject(key, node, 'a text');
  }

  /** A name that mailboxes, folders and records can use. */
  name(key: string): string | undefined {
    const name = this.text(key);
    if (name === undefined || (NAME.test(name) && !RESERVED.has(name))) return name;
    return this.#reject(
      key,
      this.#read(key) as Node,
      `1 to ${MAX_NAME} characters without line breaks and control characters, not ${[...RESERVED].join(' or ')}`,
    );
  }

  flag(key: string): boolean | undefined {
    const node = this.#read(key);
    const value = this.#yaml.scalar(node);
    if (node === undefined || typeof value === 'boolean') return value as boolean | undefined;
    return this.#reject(key, node, 'true or false');
  }

  /** A time. A timer cannot wait longer than `MAX_SECONDS`, and would fire at once. */
  seconds(key: string, least = 0): number | undefined {
    const isTime = (value: number): boolean => value >= least && value <= MAX_SECONDS;
    return this.#number(key, isTime, `a number of seconds from ${least} to ${MAX_SECONDS}`);
  }

  count(key: string, least = 0): number | undefined {
    const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= least;
    return this.#number(key, isCount, `a whole number of at least ${least}`);
  }

  /** Notes what was not read, here and below. A key that is almost a known one is probably misspelt. */
  finish(): void {
    for (const { key, keyNode } of this.#yaml.entries(this.#node) ?? []) {
      if (this.#known.has(key)) continue;
      const meant = [...this.#known.keys()].find((known) => isTypo(key, known) || `${key}s` === known);
      const message = `\`${this.#path}${key}\` is unknown; did you mean \`${meant}\`?`;
      if (meant === undefined) this.#unread.push(this.#path + key);
      else if (meant === 'hooks') this.#yaml.error('unknown_key', `${message} Its hooks never run.`, keyNode);
      else this.#yaml.warn('misspelt_key', message, keyNode);
    }
    for (const section of [...this.#known.values()].flat()) section.finish();
  }

  #number(key: string, isValid: (value: number) => boolean, wanted: string): number | undefined {
    const node = this.#read(key);
    const value = this.#yaml.scalar(node);
    if (node === undefined) return undefined;
    return typeof value === 'number' && isValid(value) ? value : this.#reject(key, node, wanted);
  }

  #below(node: Node | undefined, key: string): Section {
    return new Section(this.#yaml, node, `${this.#path}${key}.`, this.#unread);
  }

  #read(key: string): Node | undefined {
    if (!this.#known.has(key)) this.#known.set(key, []);
    return this.#yaml.get(this.#node, key);
  }

  #reject(key: string, node: Node, wanted: string): undefined {
    // A setting for all is read for each agent, and reported once.
    if (this.#rejected.has(key)) return;
    this.#rejected.add(key);
    const message = `\`${this.#path}${key}\` is ${this.#yaml.show(node)}; give ${wanted}.`;
    this.#yaml.safeError('invalid_setting', message, node);
  }
}
