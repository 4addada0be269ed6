/** The entries that make a host call the bridge: one for each of its events. */
import { shellWord } from '../../base/text/shell-word.js';
import type { Host, HostEvent, Json, Spelling } from '../../dialects/host/host.js';
import type { AnyEvent } from '../../events/types.js';
import { installedTimeout } from '../deadline.js';
import { fromFolderWith, orAnswer } from '../shell-line.js';
import { installPlace, placeName } from './place.js';

export interface Entry {
  readonly event: AnyEvent;
  /** The host's name of it. */
  readonly name: string;
  /** The command line. */
  readonly line: string;
  /** The entry as it stands in the file: a group, or a single hook. */
  readonly written: Json;
}

/** How hookline is started: a line for the shell, up to the name of the command. */
export interface Start {
  readonly line: string;
  /** Also the hooks of Claude settings. */
  readonly claude?: boolean;
  /** For a project: its folder in its repository. Without hooks there, the entry refuses. */
  readonly required?: string | undefined;
}

export function entriesOf(host: Host, start: Start): readonly Entry[] {
  const seen = new Set<string>();
  return installedSpellings(host).flatMap((spelling) =>
    Object.entries(spelling.events).flatMap(([event, own]): Entry[] => {
      // One event of the host may stand for two of ours.
      if (own.notInstalled !== undefined || seen.has(own.name)) return [];
      seen.add(own.name);
      return [entryOf(host, spelling, event as AnyEvent, own, start)];
    }),
  );
}

export function installedSpellings({ spellings }: Host): readonly Spelling[] {
  return spellings.filter(({ installed }, index) => installed ?? index === 0);
}

function entryOf(host: Host, spelling: Spelling, event: AnyEvent, own: HostEvent, start: Start): Entry {
  const line = [
    `${folderOf(host, start)}${start.line}`,
    bridgeArguments(host, own.name),
    ...(start.claude ? ['--claude'] : []),
    ...(start.required === undefined ? [] : ['--require', shellWord(start.required)]),
    orAnswer(host, { spelling, event }, `hookline could not answer: ${remedy(start)}`),
  ].join(' ');
  const [key] = host.timeout.keys;
  const timeout = (installedTimeout(host, { spelling, event }) * 1000) / host.timeout.unitMs;
  const hook = {
    ...(host.hasTypes !== false && { type: 'command' }),
    [host.commandKeys[0]]: line,
    ...(key !== undefined && { [key]: timeout }),
  };
  const written = {
    groups: { hooks: [hook] },
    entries: hook,
    list: { event: own.name, ...hook },
    own: { event: own.name, line },
  };
  return { event, name: own.name, line, written: written[host.shape] };
}

/** A host may start the entries of a project in a folder below it. */
function folderOf(host: Host, { line, required }: Start): string {
  const place = installPlace(host, 'project');
  const isAnywhere = required === undefined || /^'?\//.test(line);
  return isAnywhere || place === undefined ? '' : fromFolderWith(placeName(host, place));
}

const remedy = ({ required }: Start): string =>
  required === undefined
    ? 'install it again, or remove this entry'
    : 'run npm install in the project, and start the agent inside it';

/** What marks an entry as ours, wherever hookline is. */
export function bridgeArguments(host: Host, eventName: string): string {
  return `hook --host ${host.name} --event ${eventName}`;
}

export function isOurs(host: Host, line: unknown): boolean {
  return typeof line === 'string' && line.includes(`hook --host ${host.name} --event `);
}
