/** Loads the hooks of a host's files: all layers, every hook with its position, nothing dropped silently. */
import { resolve } from 'node:path';
import { messageOf, show } from '../../base/errors.js';
import { eventsNamed } from '../../config/event-names.js';
import type { JsonNode } from '../../config/json-file.js';
import {
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
  losesProtection,
  type Source,
} from '../../config/loaded.js';
import { judgeTrust, type Trust } from '../../config/trust/judge-trust.js';
import { unknownEventProblem } from '../../config/unknown-event.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { isObject } from './answers.js';
import { ALL_COVERED, dialectOf } from './dialect.js';
import { hostPlaces, readHostFiles } from './files.js';
import type { Host, Spelling } from './host.js';
import { hostOwnership } from './ownership.js';
import { type HookReading, readHook } from './read-hook.js';
import { withSwitches } from './switches.js';

export interface HostConfigOptions {
  /** The folder whose files are loaded. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** The folder that holds the host's user folder. Default: the home folder. */
  readonly home?: string | undefined;
  readonly trust?: Trust | undefined;
}

/** Never rejects: problems of a file are listed in `diagnostics`. */
export async function loadHostConfig(host: Host, options: HostConfigOptions = {}): Promise<LoadedConfig> {
  const workspace = resolve(options.cwd ?? '.');
  const diagnostics: Diagnostic[] = [];
  const groups: LoadedGroup[] = [];
  const places: HookReading['places'] = new Map();
  const files = await readHostFiles(host, workspace, options.home);
  for (const { layer, content } of files) {
    if (!content.ok) {
      diagnostics.push(content.problem);
      continue;
    }
    const report: HookReading['report'] = (severity, code, message, source) =>
      diagnostics.push(losesProtection({ severity, code, message, source }));
    const ofWorkspace = isOfWorkspace({ layer });
    const named = new Map<string, string>();
    const reading = { host, workspace, ofWorkspace, report, diagnostics, named, places };
    const voided = host.voids?.(content.root, namesOf(host));
    if (voided !== undefined) {
      const message = `${host.title} ignores the whole file: ${voided.what}. Nothing in it counts until it is repaired.`;
      report('error', 'broken_file', message, voided.source);
      continue;
    }
    for (const hooks of eventsOf(host, content.root))
      groups.push(...(await readEvents(host, hooks, reading)));
  }
  return {
    ...(await judgeTrust(
      { groups: withSwitches(host, files, inOneOrder(groups), places), diagnostics },
      workspace,
      options.trust,
      hostOwnership(host, workspace, options.home),
    )),
    workspace,
    precedence: 'ask-over-allow',
    files: [
      ...hostPlaces(host, workspace, options.home).map(({ file }) => file),
      ...files.map(({ file }) => file),
    ].filter((file) => !file.includes('*')),
  };
}

const namesOf = ({ spellings }: Host): string[] =>
  spellings.flatMap(({ events }) => Object.values(events).map(({ name }) => name));

/** Some hosts read events beside a missing `hooks` too. */
function eventsOf({ json }: Host, root: JsonNode): readonly JsonNode[] {
  const hooks = root.all('hooks');
  return hooks.length === 0 && json.eventsAtTop ? [root] : hooks;
}

/** One sequential group makes all hooks of its event sequential. */
function inOneOrder(groups: readonly LoadedGroup[]): LoadedGroup[] {
  const sequential = new Set(groups.filter(({ options }) => options.sequential).map(({ event }) => event));
  return groups.map((group) =>
    sequential.has(group.event) ? { ...group, options: { ...group.options, sequential: true } } : group,
  );
}

/** Each hook of one list, under its event. */
function listed(hooks: JsonNode): ReturnType<JsonNode['entries']> {
  return hooks.items().map((item) => {
    const event = item.get('event');
    const one = { ...item, value: [item.value], items: () => [item] };
    return { key: String(event?.value), keySource: event?.source ?? item.source, node: one };
  });
}

async function readEvents(host: Host, hooks: JsonNode, reading: HookReading): Promise<LoadedGroup[]> {
  if (host.shape === 'list' && Array.isArray(hooks.value)) return readNamed(host, listed(hooks), reading);
  if (typeof hooks.value !== 'object' || hooks.value === null || Array.isArray(hooks.value)) {
    reading.report('error', 'wrong_type', '`hooks` is no object of events.', hooks.source);
    return [];
  }
  return readNamed(host, hooks.entries(), reading);
}

async function readNamed(
  host: Host,
  named: ReturnType<JsonNode['entries']>,
  reading: HookReading,
): Promise<LoadedGroup[]> {
  const groups: LoadedGroup[] = [];
  for (const { key, keySource, node } of named) {
    const spelling = host.spellings.find((each) =>
      Object.values(each.events).some(({ name }) => name === key),
    );
    if (spelling === undefined) {
      reportUnknown(host, key, keySource, node, reading);
      continue;
    }
    for (const event of eventsNamed(key, dialectOf(host, spelling)))
      for (const [index, item] of itemsOf(host, node).entries())
        groups.push(...(await readItem(spelling, event, item, reading, `${key}:${index}`)));
    if (!Array.isArray(node.value) && itemsOf(host, node).length === 0)
      reading.report('error', 'wrong_type', `${key} is no list of hooks.`, node.source);
  }
  return groups;
}

/** The groups or entries of an event. */
const itemsOf = ({ takesOneGroup }: Host, node: JsonNode): readonly JsonNode[] =>
  takesOneGroup && isObject(node.value) ? [node] : node.items();

/** Settings of the host may be beside the events, such as whether hooks are on at all. */
function reportUnknown(
  host: Host,
  key: string,
  source: Source,
  node: JsonNode,
  { report }: HookReading,
): void {
  if (host.spellings.some(({ otherEvents }) => otherEvents.includes(key))) {
    const message = `${key} is an event of ${host.title} that hookline has no counterpart for. Its hooks never run.`;
    report('warning', 'unsupported_event', message, source);
  } else if (Array.isArray(node.value)) {
    const names = namesOf(host).map((name) => [name, name] as const);
    const { severity, code, message } = unknownEventProblem(key, { eventNames: Object.fromEntries(names) });
    report(severity, code, message, source);
  }
}

/** A matcher group, or an entry that is a group of its own. */
async function readItem(
  spelling: Spelling,
  event: AnyEvent,
  node: JsonNode,
  reading: HookReading,
  place: `${string}:${number}`,
): Promise<LoadedGroup[]> {
  const list = node.get('hooks');
  const entries = list === undefined ? [node] : list.items();
  const matcher = readMatcher(spelling, event, node.get('matcher'), list === undefined, reading);
  const isOutside = list === undefined && reading.host.types !== undefined;
  const hooks: LoadedHook[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = await readHook(event, entry, reading, isOutside ? 'it is not in a group.' : undefined);
    const problem = matcher.problem ?? namesake(event, read, node, reading);
    const hook: LoadedHook =
      problem === undefined ? read : { ...read, inactive: { reason: 'broken', message: problem } };
    reading.places.set(hook, `${hook.source.file}:${place}:${index}`);
    hooks.push(hook);
  }
  const matching = spelling.events[event]?.matches === 'text' ? 'text' : 'pattern';
  const pattern = matcher.pattern ?? (isAboutTools(spelling, event) ? ALL_COVERED : undefined);
  const options = {
    dialect: dialectOf(reading.host, spelling, matching),
    ...(pattern !== undefined && { matcher: pattern }),
    ...(node.get('sequential')?.value === true && { sequential: true }),
  };
  const badMatcher = matcher.problem === undefined ? {} : { badMatcher: node.get('matcher')?.value };
  return [{ event, options, hooks, source: node.source, ...badMatcher }];
}

/** Why a hook is skipped that has the name of another one. */
function namesake(
  event: AnyEvent,
  { written }: LoadedHook,
  group: JsonNode,
  { host, named, report }: HookReading,
): string | undefined {
  if (!host.skipsNamesakes || typeof written['name'] !== 'string') return undefined;
  const command = String(written['command']);
  const key = JSON.stringify([
    event,
    written['name'],
    group.get('matcher')?.value,
    group.get('sequential')?.value,
  ]);
  const first = named.get(key) ?? command;
  named.set(key, first);
  if (first === command) return undefined;
  const why = `a hook before it has the name ${show(written['name'])} too`;
  report('error', 'same_name', `${host.title} skips this hook: ${why}. Give it another name.`, group.source);
  return why;
}

/** Hooks of an event for one kind of tool do not run for the others. */
const isAboutTools = ({ covers }: Spelling, event: AnyEvent): boolean =>
  covers !== undefined && rowOf(event).matcherField === 'tool_name';

function readMatcher(
  spelling: Spelling,
  event: AnyEvent,
  node: JsonNode | undefined,
  ofEntry: boolean,
  { report, host }: HookReading,
): { readonly pattern?: string; readonly problem?: string } {
  // A group with null matches everything; whether an entry does is for the host to say.
  if (node === undefined || (node.value === null && !ofEntry)) return {};
  const { value, source } = node;
  if (typeof value !== 'string' && value !== null) {
    report('error', 'wrong_type', 'The matcher is not a string; its hooks never run.', source);
    return { problem: 'its matcher is not a string' };
  }
  const never = spelling.matchesNothing?.(value, event);
  if (never !== undefined) {
    report('error', 'bad_matcher', `${capitalized(never)}. Its hooks never run.`, source);
    return { problem: never };
  }
  if (value === null) return {};
  if (value.trim() === '' || value === '*' || rowOf(event).matcherField === null) return {};
  const { matches } = spelling.events[event] ?? {};
  if (matches === 'other') {
    const message = `${host.title} compares the matcher ${show(value)} with something else than the name of a tool, which hookline does not. The hook runs for every call.`;
    report('warning', 'matcher_ignored', message, source);
    return {};
  }
  if (matches === 'nothing') {
    const message = `${host.title} ignores the matcher ${show(value)} on this event.`;
    report('warning', 'matcher_ignored', message, source);
    return {};
  }
  try {
    spelling.compileMatcher(value);
    reportOurNames(spelling, value, source, { report, host });
    return { pattern: value };
  } catch (error) {
    report('error', 'bad_matcher', `${messageOf(error)} Its hooks never run.`, source);
    return { problem: messageOf(error) };
  }
}

/** A name that other hosts have for a tool matches nothing here. */
function reportOurNames(
  { tools, compileMatcher }: Spelling,
  pattern: string,
  source: Source,
  { report, host }: Pick<HookReading, 'report' | 'host'>,
): void {
  const matches = compileMatcher(pattern);
  const wrong = pattern.split('|').flatMap((name) => tools.filter(({ ours }) => ours === name.trim()));
  for (const { ours, theirs } of wrong) {
    if (matches(theirs)) continue;
    const message = `${host.title} calls the tool ${ours} ${theirs}, so this matcher does not match it. Write ${theirs}.`;
    report('warning', 'matcher_matches_nothing', message, source);
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
