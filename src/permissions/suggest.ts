/** Suggests updates that a user could approve so that a call needs no further confirmation. */
import { dirname } from 'node:path';
import { decide } from './decide.js';
import { isEditInside, openCommands } from './decide-shell.js';
import { JudgedCall } from './judged-call.js';
import type { Place } from './paths.js';
import { protectedName } from './protected-paths.js';
import { commandText } from './rule-bash.js';
import { fileToolsOf, pathFieldOf } from './rule-tools.js';
import { type PermissionState, updateState } from './state.js';
import type { PermissionUpdate } from './types.js';

type Updates = PermissionUpdate[];

const ACCEPT_EDITS: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };

/** Contract: if all suggested updates are applied, the call is allowed. */
export function suggest(judged: JudgedCall, state: PermissionState): Updates {
  if (decide(judged, state).behavior !== 'ask') return [];
  return candidates(judged, state).find((updates) => isEnough(updates, judged, state)) ?? [];
}

/** Discards updates that are not valid rules or do not suffice. */
function isEnough(updates: Updates, { call }: JudgedCall, state: PermissionState): boolean {
  try {
    const after = updateState(state, updates);
    return decide(new JudgedCall(call, after), after).behavior === 'allow';
  } catch {
    return false;
  }
}

/** The least permissive first. */
function candidates(judged: JudgedCall, state: PermissionState): readonly Updates[] {
  const { call, edits, line, places = [] } = judged;
  if (line !== undefined) return forShell(judged, state);
  const outside = places.filter((place) => !state.directories.holds(place));
  if (edits) return forEdit(places, outside, state);
  if (call.readOnly && outside.length > 0) return forReading(judged, outside, state);
  const host = call.toolName === 'WebFetch' ? hostOf(call.input) : undefined;
  return [
    ...(host === undefined ? [] : [[rules(call.toolName, [`domain:${host}`])]]),
    [rules(call.toolName)],
  ];
}

function forShell({ line, command = '' }: JudgedCall, state: PermissionState): readonly Updates[] {
  if (!line) return [];
  const open = openCommands(line, state);
  if (line.unreadable === undefined && open.every((each) => isEditInside(each, state)))
    return [[ACCEPT_EDITS]];
  // A star would be a wildcard in the rule, which allows more than the user sees.
  return [open.map((each) => commandText(each.command)), [command]]
    .filter((texts) => texts.length > 0 && texts.every((text) => text !== '' && !text.includes('*')))
    .map((texts) => [rules('Bash', texts)]);
}

function forEdit(
  places: readonly Place[],
  outside: readonly Place[],
  state: PermissionState,
): readonly Updates[] {
  if (places.some((place) => protectedName(place, state.directories) !== undefined))
    return [
      [
        rules(
          'Edit',
          places.map(({ path }) => exactly(path)),
          'session',
        ),
      ],
    ];
  const mode = state.mode === 'acceptEdits' ? [] : [ACCEPT_EDITS];
  if (outside.length === 0) return [mode];
  return [[directories(outside.map(({ real, path }) => dirname(real ?? path))), ...mode]];
}

function forReading(
  { call, names }: JudgedCall,
  outside: readonly Place[],
  { home }: PermissionState,
): readonly Updates[] {
  const isSearch = names.some((name) => pathFieldOf(name)?.orCwd === true);
  const folderOf = (path: string): string => (isSearch ? path : dirname(path));
  const wide = (folder: string): boolean => folder === '/' || folder === home;
  const contents = outside.map(({ path }) =>
    wide(folderOf(path)) ? exactly(path) : `${exactly(folderOf(path))}/**`,
  );
  const isFileTool = names.some((name) => name === 'Read' || fileToolsOf('Read').includes(name));
  return [
    ...(isFileTool ? [[rules('Read', contents, 'session')]] : []),
    [directories(outside.map(({ real, path }) => folderOf(real ?? path)).filter((folder) => !wide(folder)))],
    // An unknown tool has no rules about paths; only the whole tool can be allowed.
    ...(isFileTool ? [] : [[rules(call.toolName)]]),
  ];
}

function rules(
  toolName: string,
  contents: readonly string[] = [],
  destination: PermissionUpdate['destination'] = 'localSettings',
): PermissionUpdate {
  const named = [...new Set(contents)].map((ruleContent) => ({ toolName, ruleContent }));
  return {
    type: 'addRules',
    rules: named.length === 0 ? [{ toolName }] : named,
    behavior: 'allow',
    destination,
  };
}

function directories(paths: readonly string[]): PermissionUpdate {
  return { type: 'addDirectories', directories: [...new Set(paths)], destination: 'session' };
}

/** A pattern that matches exactly this path. */
function exactly(path: string): string {
  return `/${path.replaceAll(/[\\*?[]/g, '\\$&')}`;
}

function hostOf(input: unknown): string | undefined {
  const url = (input as { readonly url?: unknown } | null | undefined)?.url;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : undefined;
}
