/** Reads the groups of a YAML or JSON file, each problem with its line. A mistake disables only the group it is in. */

import { resolve } from 'node:path';
import { isMap, isSeq } from 'yaml';
import { messageOf } from '../../../base/errors.js';
import { suggest } from '../../../base/text/suggest.js';
import {
  type Diagnostic,
  type LoadedGroup,
  type LoadedHook,
  losesProtection,
  type Source,
} from '../../../config/loaded.js';
import { unknownEventProblem } from '../../../config/unknown-event.js';
import { isEvent } from '../../../events/registry.js';
import type { AnyEvent } from '../../../events/types.js';
import { lintTimeout } from '../../../handlers/common-options.js';
import { type HandlerServices, kindOf, missingService } from '../../../handlers/kinds.js';
import type { CallbackHook, DescribedHook, Hook, PreparedHook } from '../../../handlers/types.js';
import { resolveDialect } from '../../index.js';
import { type FileDocument, readDocument } from './document.js';
import { describeMisfit } from './issues.js';
import { checkGroup, checkHook, FILE_KEYS, type FileGroup } from './schema.js';

/** May throw for a document that expands beyond limits when its aliases are resolved. */
export function readYamlGroups(
  text: string,
  source: Source,
  workspace: string,
  services: HandlerServices,
  diagnostics: Diagnostic[],
): LoadedGroup[] {
  const read = readDocument(text, source);
  if (!read.ok) {
    diagnostics.push(read.problem);
    return [];
  }
  const { file } = read;
  const reading: Reading = {
    ...services,
    at: file.at,
    keyAt: file.keyAt,
    workspace,
    ofWorkspace: source.layer === 'project',
    report: (severity, code, message, where) =>
      diagnostics.push(losesProtection({ severity, code, message, source: where })),
  };
  return checkTopLevel(file, reading) ? readEvents(file, reading) : [];
}

/** Checks the top level of the file; false: there is nothing to read in it. */
function checkTopLevel({ document, at, keyAt }: FileDocument, { report }: Reading): boolean {
  const { contents } = document;
  const value: unknown = document.toJS();
  if (value === null || value === undefined) {
    report('error', 'empty_file', 'The file is empty: it has no `hooks`.', at([]));
    return false;
  }
  if (!isMap(contents)) {
    const what = isSeq(contents) ? 'a list' : 'a single value';
    report(
      'error',
      'wrong_type',
      `The file is ${what}, not an object with \`hooks\`; write hooks: {...}.`,
      at([]),
    );
    return false;
  }
  let isFound = false;
  for (const { key } of contents.items) {
    const name = String(key);
    if (FILE_KEYS.includes(name)) continue;
    if (isEvent(name)) {
      const message = `\`${name}\` is beside \`hooks\`, so its hooks never run; move it inside \`hooks\`.`;
      report('error', 'misplaced_event', message, keyAt([name]));
      isFound = true;
    } else if (!contents.has('hooks') && suggest(name, ['hooks']) !== undefined) {
      report('error', 'unknown_key', `\`${name}\` is unknown, so its hooks never run.`, keyAt([name]));
      isFound = true;
    } else report('warning', 'unknown_key', `\`${name}\` is unknown; it is ignored.`, keyAt([name]));
  }
  if (isMap(contents.get('hooks', true))) return true;
  const missing = !contents.has('hooks');
  // What is there under another name was reported.
  if (missing && isFound) return false;
  const what = missing ? 'The file has no `hooks`' : '`hooks` is not an object of events';
  report(
    'error',
    'wrong_type',
    `${what}; write hooks: { PreToolUse: [...] }.`,
    missing ? at([]) : at(['hooks']),
  );
  return false;
}

function readEvents({ document, at, keyAt }: FileDocument, reading: Reading): LoadedGroup[] {
  const hooks = document.get('hooks', true);
  if (!isMap(hooks)) return [];
  const values = (document.toJS() as { hooks: Readonly<Record<string, readonly unknown[]>> }).hooks;
  const groups: LoadedGroup[] = [];
  for (const { key } of hooks.items) {
    const event = String(key);
    const path = ['hooks', event];
    const list = hooks.get(event, true);
    if (!isEvent(event)) {
      const { severity, code, message } = unknownEventProblem(event);
      reading.report(severity, code, message, keyAt(path));
    } else if (!isSeq(list)) {
      const message = `${event} is not a list of groups; write - hooks: [...] below it.`;
      reading.report('error', 'wrong_type', message, at(path));
    } else {
      for (const index of list.items.keys()) {
        const group = readGroup(event, values[event]?.[index], [...path, index], reading);
        if (group !== undefined) groups.push(group);
      }
    }
  }
  return groups;
}

/** What reading a group depends on. */
interface Reading extends Pick<FileDocument, 'at' | 'keyAt'>, HandlerServices {
  readonly workspace: string;
  /** Whether the file comes with the workspace. */
  readonly ofWorkspace: boolean;
  report(severity: Diagnostic['severity'], code: string, message: string, source: Source): void;
}

type Path = readonly PropertyKey[];

function readGroup(event: AnyEvent, value: unknown, path: Path, reading: Reading): LoadedGroup | undefined {
  const checked = checkGroup(value);
  if (!checked.success) {
    const { message, where } = misfitAt(checked.error, value, path, reading);
    reading.report('error', 'bad_group', `This group is ignored: ${message}.`, where);
    return undefined;
  }
  const { hooks, matcher, ...rest } = checked.data;
  const problem = matcherProblem(checked.data, path, reading);
  reportDoubtful(checked.data, path, reading);
  const read = hooks.map((hook, i) => readHook(hook, [...path, 'hooks', i], reading));
  const broken = { reason: 'broken', message: problem ?? '' } as const;
  return {
    event,
    options: {
      ...rest,
      ...(matcher !== undefined && problem === undefined && { matcher }),
    },
    hooks:
      problem === undefined ? read : read.map((hook) => ({ ...hook, inactive: hook.inactive ?? broken })),
    source: reading.at(path),
    ...(problem !== undefined && { badMatcher: matcher }),
  };
}

/** Workspace hooks get no secrets, and run where they were approved. */
function readHook(value: unknown, path: Path, reading: Reading): LoadedHook {
  const written =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const source = reading.at(path);
  const checked = checkHook(value);
  if (!checked.success) {
    const { message, where } = misfitAt(checked.error, value, path, reading);
    reading.report('error', 'bad_hook', `This hook is ignored: ${message}.`, where);
    const hook = { type: 'prepared', run: () => ({ kind: 'failed-to-start', message }) } as Hook;
    const description = String(written['command'] ?? written['url'] ?? 'a hook');
    return { hook, description, source, written, inactive: { reason: 'broken', message } };
  }
  const hook = checked.data as unknown as Exclude<DescribedHook, CallbackHook | PreparedHook>;
  reportDoubtful(hook, path, reading);
  const inactive = missingService(hook.type, reading);
  if (inactive !== undefined)
    reading.report('warning', 'inactive', `This hook never runs: ${inactive}.`, source);
  const isCommand = reading.ofWorkspace && hook.type === 'command';
  const here = isCommand
    ? ({
        environment: 'scrub',
        cwd: resolve(reading.workspace, hook.cwd ?? '.'),
        // Trust has looked at the scripts of this folder, wherever the agent is.
        env: { CLAUDE_PROJECT_DIR: reading.workspace, ...hook.env },
      } as const)
    : {};
  return {
    hook: { ...hook, ...here },
    description: kindOf(hook.type).describe({ ...hook }),
    source,
    written,
    ...(inactive !== undefined && { inactive: { reason: 'unsupported', message: inactive } }),
  };
}

function misfitAt(
  error: Parameters<typeof describeMisfit>[0],
  value: unknown,
  path: Path,
  { at, keyAt }: Reading,
): { readonly message: string; readonly where: Source } {
  const misfit = describeMisfit(error, value);
  const full = [...path, ...misfit.path];
  return { message: misfit.message, where: misfit.unknownKey ? keyAt(full) : at(full) };
}

/** Reports what is valid but probably not intended. */
function reportDoubtful({ timeout }: Pick<FileGroup, 'timeout'>, path: Path, { report, at }: Reading): void {
  const doubt = lintTimeout(timeout);
  if (doubt !== undefined) report('warning', 'doubtful_timeout', doubt, at([...path, 'timeout']));
}

/** Why a matcher cannot be used, or undefined. */
function matcherProblem(
  { matcher, dialect }: Pick<FileGroup, 'matcher' | 'dialect'>,
  path: Path,
  { report, at }: Reading,
): string | undefined {
  if (matcher === undefined || matcher === '') return undefined;
  const source = at([...path, 'matcher']);
  const { compileMatcher, lintMatcher } = resolveDialect(dialect);
  try {
    compileMatcher(matcher);
    const doubt = lintMatcher(matcher);
    if (doubt !== undefined) report('warning', 'matcher_doubtful', `The matcher ${doubt}.`, source);
    return undefined;
  } catch (error) {
    report('error', 'bad_matcher', `${messageOf(error)} Its hooks never run.`, source);
    return messageOf(error);
  }
}
