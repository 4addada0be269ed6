/** What is installed for a host, and whether it is intact. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { hostHome, readHostFile, readHostFiles } from '../../dialects/host/files.js';
import type { HookPlace, Host } from '../../dialects/host/host.js';
import { isOff, type Switch, switchesIn } from '../../dialects/host/switches.js';
import { withoutFolder } from '../shell-line.js';
import { entriesOf, installedSpellings } from './entry.js';
import { type Installation, readInstallation } from './installation.js';
import { installFile, installPlace, requiredFolder, type Scope } from './place.js';

export interface HostStatus {
  readonly host: string;
  readonly title: string;
  readonly verified: string | null;
  /** Whether its program or its folder is on this machine. */
  readonly found: boolean;
  readonly scopes: readonly ScopeStatus[];
  /** Why its hooks may not run although they are installed. */
  readonly trust: string | null;
  /** Its events that are never guarded: nothing of ours answers them. */
  readonly unguarded: readonly string[];
  readonly cannot: readonly string[];
}

export interface ScopeStatus {
  readonly scope: Scope;
  readonly file: string;
  /** `changed`: there are entries of ours, and some are missing or not as they were written. */
  readonly state: 'absent' | 'intact' | 'changed' | 'unreadable';
  /** The host's names of the events that are guarded. */
  readonly guarded: readonly string[];
  readonly missing: readonly string[];
  /** Whether the host runs the entries by its own rules; null: it has no such rules, or does not write them down. */
  readonly approved: boolean | null;
  /** The events whose entries the host skips until a person approves them there. */
  readonly skipped: readonly string[];
  /** The host's own settings that turn entries off, wherever hookline is. */
  readonly switchedOff: readonly TurnedOff[];
  /** Whether the host is also to obey the hooks of Claude settings. */
  readonly claude: boolean;
  /** Why the command of the entries cannot start; null if it can, or there are none. */
  readonly broken: string | null;
}

export interface TurnedOff {
  readonly file: string;
  readonly key: string;
  readonly events: readonly string[];
}

/** What turns the entries off, and what to do. */
export const turnedOffText = (title: string, { file, key }: TurnedOff): string =>
  `The setting \`${key}\` in ${file} turns hooks off in ${title}. Remove it from that file.`;

/** Whether the host obeys the hooks, as far as can be seen. On a machine without the host nobody can approve anything. */
export function isGuarded({ found, scopes }: HostStatus): boolean {
  return scopes.some(
    ({ state, broken, skipped, switchedOff }) =>
      state === 'intact' && broken === null && switchedOff.length === 0 && (!found || skipped.length === 0),
  );
}

/** Whether something that is installed does not do what it was installed for. */
export function isDamaged({ found, scopes }: HostStatus): boolean {
  return scopes.some(
    ({ state, broken, skipped, switchedOff }) =>
      state === 'changed' ||
      state === 'unreadable' ||
      broken !== null ||
      switchedOff.length > 0 ||
      (found && skipped.length > 0),
  );
}

export async function statusOf(host: Host, workspace: string): Promise<HostStatus> {
  const switches = switchesIn(host, await readHostFiles(host, workspace));
  const scopes = await Promise.all(
    (['user', 'project'] as const)
      .filter((scope) => installPlace(host, scope) !== undefined)
      .map((scope) => scopeStatus(host, scope, workspace, switches)),
  );
  const { name, title, verified, trust = null, cannot } = host;
  const unguarded = installedSpellings(host).flatMap(({ events, otherEvents }) => {
    const left = Object.values(events).filter(({ notInstalled }) => notInstalled !== undefined);
    return [...otherEvents, ...left.map((event) => event.name)];
  });
  return { host: name, title, verified, found: isFound(host), scopes, trust, unguarded, cannot };
}

const NOTHING = {
  guarded: [],
  missing: [],
  approved: null,
  skipped: [],
  switchedOff: [],
  claude: false,
  broken: null,
} as const;

async function scopeStatus(
  host: Host,
  scope: Scope,
  workspace: string,
  switches: readonly Switch[],
): Promise<ScopeStatus> {
  const found = await readInstallation(host, scope, workspace).catch(() => 'unreadable' as const);
  if (found === 'unreadable')
    return { scope, file: installFile(host, scope, workspace), state: found, ...NOTHING };
  const { place: file, entries: present } = found;
  if (present.length === 0) return { scope, file, state: 'absent', ...NOTHING };
  const line = found.lineOf(present[0]?.name ?? '') ?? '';
  const start = {
    line: withoutFolder(line.slice(0, line.indexOf(' hook --host '))),
    claude: line.includes(' --claude'),
    required: scope === 'project' ? requiredFolder(workspace) : undefined,
  };
  const entries = entriesOf(host, start);
  const intact = entries.filter((entry) => found.holds(entry)).map(({ name }) => name);
  const missing = entries.map(({ name }) => name).filter((name) => !intact.includes(name));
  const readUserFile = (path: string) => readHostFile(join(hostHome(host), path));
  const skipped = await host.skips?.({ scope, file, entries: present, workspace, readUserFile });
  const switchedOff = turnedOff(found, switches);
  const idle = [...(skipped ?? []), ...switchedOff.flatMap(({ events }) => events)];
  return {
    scope,
    file,
    state: missing.length === 0 ? 'intact' : 'changed',
    guarded: intact.filter((name) => !idle.includes(name)),
    missing,
    approved: skipped === undefined ? null : skipped.length === 0,
    skipped: skipped ?? [],
    switchedOff,
    claude: start.claude,
    broken: startProblem(start.line, workspace) ?? null,
  };
}

function turnedOff({ place: file, entries, lineOf }: Installation, switches: readonly Switch[]): TurnedOff[] {
  return switches.flatMap((each) => {
    const events = entries.flatMap(({ name, index }) => {
      const place: HookPlace = `${file}:${name}:${index}:0`;
      return isOff(each, { file, name: lineOf(name) ?? '', place }) ? [name] : [];
    });
    return events.length === 0 ? [] : [{ file: each.file, key: each.key, events }];
  });
}

/** Why the beginning of a command line cannot start hookline. Nothing is run: the line may come with the workspace. */
function startProblem(line: string, workspace: string): string | undefined {
  // What is more than a call of one program is only proved by running it.
  if (/[&;|$`()<>]/.test(line.replaceAll(/'[^']*'/g, ''))) return undefined;
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|[^\s']+/g)].map(
    ([word, inside]) => inside?.replaceAll("'\\''", "'") ?? word,
  );
  const [program = '', ...rest] = words.filter((word) => !/^\w+=/.test(word));
  if (!program.includes('/')) {
    if (!isOnPath(program)) return `${program} is not on the PATH`;
  } else if (!isExecutable(resolve(workspace, program))) return `${program} does not exist, or cannot be run`;
  const script = rest.find((word) => isAbsolute(word) && /\.[cm]?js$/.test(word));
  return script === undefined || existsSync(script) ? undefined : `${script} does not exist`;
}

/** Whether its program or its folder is on this machine. */
export const isFound = (host: Host): boolean => existsSync(hostHome(host)) || isOnPath(host.program);

const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
