/** Which approvals are of hooks that Claude's settings files, plugins, agents, skills and commands would bring. */
import { join, resolve, sep } from 'node:path';
import { isInside } from '../../../base/files/inside.js';
import type { LoadedHook } from '../../../config/loaded.js';
import { type Ownership, textField } from '../../../config/trust/missing.js';
import type { ApprovedHook } from '../../../config/trust/store-types.js';
import { compileCondition } from '../../../permissions/rule.js';
import { isWithin } from '../found/owned-groups.js';
import { claudeCode } from '../index.js';

export interface OwnedPlaces {
  readonly workspace: string;
  /** The settings files that were looked for. */
  readonly files: readonly string[];
  /** Folders with agents, skills and commands. */
  readonly folders: readonly string[];
  /** Where the user's plugins are installed. */
  readonly plugins: string;
  /** Files that are loaded as the user's own, whose hooks need no approval. */
  readonly ofUser: readonly string[];
}

const PARTS = ['agents', 'skills', 'commands'];

/** A plugin may lie anywhere, and is no longer named if the workspace has disabled it. */
const OF_PLUGIN = /(?:^|\/)(?:hooks\/hooks|\.claude-plugin\/plugin)\.json$/;

export function claudeOwnership({ workspace, files, folders, plugins, ofUser }: OwnedPlaces): Ownership {
  const known = new Set(files.map((file) => resolve(file)));
  const own = new Set(ofUser.map((file) => resolve(file)));
  const parts = folders.flatMap((folder) => PARTS.map((part) => join(folder, part)));
  const owns = (hook: ApprovedHook): boolean => {
    if (hook.source === undefined || textField(hook, 'group.dialect') !== claudeCode.name) return false;
    const file = resolve(workspace, hook.source);
    // Its user has enabled the plugin since the folder did.
    if (own.has(file)) return false;
    const inside = isInside(file, workspace) && OF_PLUGIN.test(file.split(sep).join('/'));
    if (known.has(file) || inside) return true;
    if (parts.some((part) => isInside(file, part))) return textField(hook, 'group.within') !== undefined;
    return isInside(file, plugins);
  };
  return {
    owns,
    dialectOf: () => claudeCode,
    appliesTo: (hook) => both(isWithin(textField(hook, 'group.within')), conditionOf(hook, workspace)),
  };
}

/** A condition that cannot be read again holds. */
function conditionOf(hook: ApprovedHook, workspace: string): LoadedHook['applies'] {
  const condition = textField(hook, 'if');
  if (condition === undefined) return undefined;
  try {
    return compileCondition(condition, { root: workspace });
  } catch {
    return undefined;
  }
}

function both(one: LoadedHook['applies'], two: LoadedHook['applies']): LoadedHook['applies'] {
  if (one === undefined || two === undefined) return one ?? two;
  return (input) => one(input) && two(input);
}
