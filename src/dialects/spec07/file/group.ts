/** One group of a file with its hooks. What does not fit voids only itself, and is told with its place. */
import { resolve } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import type { Diagnostic, LoadedGroup, LoadedHook, Source } from '../../../config/loaded.js';
import type { AnyEvent } from '../../../events/types.js';
import { type HandlerServices, kindOf, missingService } from '../../../handlers/kinds.js';
import { lintTimeout } from '../../../handlers/timeout.js';
import type { CallbackHook, DescribedHook, Hook, PreparedHook } from '../../../handlers/types.js';
import { resolveDialect } from '../../index.js';
import type { FileDocument } from './document.js';
import { describeMisfit } from './issues.js';
import { bareGroupSchema, type FileGroup, hookSchema } from './schema.js';

/** What reading a group depends on. */
export interface Reading extends Pick<FileDocument, 'at' | 'keyAt'>, HandlerServices {
  readonly workspace: string;
  /** The file comes with the workspace. */
  readonly ofWorkspace: boolean;
  tell(severity: Diagnostic['severity'], code: string, message: string, source: Source): void;
}

type Path = readonly PropertyKey[];

export function readGroup(
  event: AnyEvent,
  value: unknown,
  path: Path,
  reading: Reading,
): LoadedGroup | undefined {
  const checked = bareGroupSchema.safeParse(value);
  if (!checked.success) {
    const { message, where } = misfitAt(checked.error, value, path, reading);
    reading.tell('error', 'bad_group', `This group does not count: ${message}.`, where);
    return undefined;
  }
  const { hooks, matcher, ...rest } = checked.data;
  const problem = matcherProblem(checked.data, path, reading);
  tellDoubts(checked.data, path, reading);
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
  };
}

/** What comes with a workspace gets no secrets, and runs where it was approved. */
function readHook(value: unknown, path: Path, reading: Reading): LoadedHook {
  const written =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const source = reading.at(path);
  const checked = hookSchema.safeParse(value);
  if (!checked.success) {
    const { message, where } = misfitAt(checked.error, value, path, reading);
    reading.tell('error', 'bad_hook', `This hook does not count: ${message}.`, where);
    const hook = { type: 'prepared', run: () => ({ kind: 'failed-to-start', message }) } as Hook;
    const description = String(written['command'] ?? written['url'] ?? 'a hook');
    return { hook, description, source, written, inactive: { reason: 'broken', message } };
  }
  const hook = checked.data as unknown as Exclude<DescribedHook, CallbackHook | PreparedHook>;
  tellDoubts(hook, path, reading);
  const inactive = missingService(hook.type, reading);
  if (inactive !== undefined)
    reading.tell('warning', 'inactive', `This hook never runs: ${inactive}.`, source);
  const isCommand = reading.ofWorkspace && hook.type === 'command';
  const here = isCommand
    ? ({ environment: 'scrub', cwd: resolve(reading.workspace, hook.cwd ?? '.') } as const)
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

/** What counts, and was probably not meant so. */
function tellDoubts({ timeout }: Pick<FileGroup, 'timeout'>, path: Path, { tell, at }: Reading): void {
  const doubt = lintTimeout(timeout);
  if (doubt !== undefined) tell('warning', 'doubtful_timeout', doubt, at([...path, 'timeout']));
}

/** Why a matcher cannot be used, if so. */
function matcherProblem(
  { matcher, dialect }: Pick<FileGroup, 'matcher' | 'dialect'>,
  path: Path,
  { tell, at }: Reading,
): string | undefined {
  if (matcher === undefined || matcher === '') return undefined;
  const source = at([...path, 'matcher']);
  const { compileMatcher, lintMatcher } = resolveDialect(dialect);
  try {
    compileMatcher(matcher);
    const doubt = lintMatcher(matcher);
    if (doubt !== undefined) tell('warning', 'matcher_doubtful', `The matcher ${doubt}.`, source);
    return undefined;
  } catch (error) {
    tell('error', 'bad_matcher', `${messageOf(error)} Its hooks never run.`, source);
    return messageOf(error);
  }
}
