/** The current state of permissions: mode, rules, directories. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HookError, show } from '../base/errors.js';
import { refuseUnknownOptions } from '../base/text/known-options.js';
import { WorkingDirectories } from './paths.js';
import { RuleSet } from './rule-set.js';
import {
  PERMISSION_MODES,
  PERMISSION_OPTIONS,
  type PermissionMode,
  type PermissionOptions,
  type PermissionUpdate,
} from './types.js';

export interface PermissionState {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly directories: WorkingDirectories;
  readonly root: string;
  readonly home: string;
  readonly trustRepository: boolean;
}

/** Throws a HookError with code `invalid_option` that names what is invalid. */
export function firstState(options: PermissionOptions): PermissionState {
  refuseUnknownOptions('new Permissions', options, PERMISSION_OPTIONS);
  const root = resolve(checkPath(options.root ?? process.cwd(), 'root'));
  const home = resolve(checkPath(options.home ?? homedir(), 'home'));
  const additional: unknown = options.additionalDirectories ?? [];
  if (!Array.isArray(additional))
    throw new HookError(
      'invalid_option',
      `additionalDirectories is ${show(additional)}; give a list of paths.`,
    );
  return {
    mode: checkMode(options.mode ?? 'default'),
    rules: RuleSet.from(options),
    directories: new WorkingDirectories([root, ...directoriesFrom(additional, { root, home })]),
    root,
    home,
    trustRepository: options.trustRepository === true,
  };
}

/** Applies all updates or none: throws as `firstState` does if one of them is invalid. */
export function updateState(state: PermissionState, updates: readonly PermissionUpdate[]): PermissionState {
  return updates.reduce(update, state);
}

function update(state: PermissionState, change: PermissionUpdate): PermissionState {
  switch (change.type) {
    case 'setMode':
      return { ...state, mode: checkMode(change.mode) };
    case 'addDirectories': {
      const paths = [...state.directories.paths, ...directoriesFrom(change.directories, state)];
      return { ...state, directories: new WorkingDirectories(paths) };
    }
    case 'removeDirectories': {
      const gone = directoriesFrom(change.directories, state);
      // The root stays: without it the agent would have no directory to work in.
      const paths = state.directories.paths.filter((path) => path === state.root || !gone.includes(path));
      return { ...state, directories: new WorkingDirectories(paths) };
    }
    default:
      return { ...state, rules: state.rules.with(change) };
  }
}

export function checkMode(mode: unknown): PermissionMode {
  const known = PERMISSION_MODES.find((each) => each === mode);
  if (known === undefined)
    throw new HookError(
      'invalid_option',
      `The permission mode is ${show(mode)}; it can be ${PERMISSION_MODES.join(', ')}.`,
    );
  return known;
}

function directoriesFrom(
  paths: readonly unknown[],
  { root, home }: Pick<PermissionState, 'root' | 'home'>,
): readonly string[] {
  return paths.map((path) => {
    const given = checkPath(path, 'working directory');
    return resolve(root, /^~(?:\/|$)/.test(given) ? home + given.slice(1) : given);
  });
}

function checkPath(path: unknown, what: string): string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  throw new HookError('invalid_option', `The ${what} of permissions is ${show(path)}; give a path.`);
}
