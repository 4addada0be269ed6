/** Checks one entry of a group's `hooks` and prepares it to run. */

import { HookError } from '../../base/errors.js';
import { oneLine } from '../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Dialect } from '../../config/dialect.js';
import type { AnyEvent } from '../../events/types.js';
import type { CommandRuntime } from '../../handlers/command/command.js';
import { asyncGuardProblem, failurePolicy, timeoutMs } from '../../handlers/common-options.js';
import type { StartCheck } from '../../handlers/hook.js';
import {
  fieldNames,
  type HandlerServices,
  isHandlerType,
  kindOf,
  notAHook,
  type Ready,
} from '../../handlers/kinds.js';
import type { FailurePolicy } from '../../handlers/types.js';

/** What an entry decides itself; the rest comes from its group. */
export interface SettledHook {
  readonly kind: string;
  readonly ready: Ready;
  readonly name?: string;
  /** Its default name, used if its group has none either. */
  readonly ownName?: string;
  readonly timeoutMs?: number;
  /** The default of its kind: the group's timeout overrides it, and it overrides all other defaults. */
  readonly kindTimeoutMs?: number;
  readonly onFailure?: FailurePolicy;
  readonly statusMessage?: string;
  /** Called before it starts. */
  readonly check?: StartCheck | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The context in which a hook is compiled. */
export interface CompileContext {
  readonly commands: CommandRuntime;
  readonly services: HandlerServices;
  readonly dialect: Dialect;
  /** The policy of a hook without its own. */
  readonly onFailure: FailurePolicy;
  /** Called right before every start. */
  readonly check?: StartCheck | undefined;
}

export function compileHook(event: AnyEvent, hook: unknown, context: CompileContext): SettledHook {
  const fields =
    typeof hook === 'function'
      ? { type: 'callback', callback: hook }
      : typeof hook === 'object' && hook !== null
        ? (hook as Fields)
        : {};
  const { type, name, timeout, statusMessage } = fields as Fields;
  if (!isHandlerType(type)) throw notAHook(event, hook);
  const names = Object.fromEntries(fieldNames(type).map((field) => [field, true]));
  refuseUnknownOptions(`A hook of type ${type} for ${event}`, fields, names as OptionNames<Fields>);
  const policy = failurePolicy(fields['onFailure'], event);
  const { commands, services, dialect, check, onFailure } = context;
  const problem = dialect.async.waits ? undefined : asyncGuardProblem(event, fields, policy ?? onFailure);
  if (problem !== undefined) throw new HookError('invalid_hook', problem);
  const kind = kindOf(type);
  const environment = dialect.environment?.bind(dialect);
  const ready = kind.prepare(event, fields, { ...services, commands, environment, check });
  const ownName = ownNameOf(fields, dialect);
  return {
    kind: type,
    ready,
    ...(kind.checksItself !== true && check !== undefined && { check }),
    ...(ownName !== undefined && { ownName }),
    ...(typeof name === 'string' && { name }),
    ...(timeout !== undefined && { timeoutMs: timeoutMs(timeout, `${event} hook`) }),
    ...(kind.timeout !== undefined && { kindTimeoutMs: timeoutMs(kind.timeout, `${event} hook`) }),
    ...(policy !== undefined && { onFailure: policy }),
    ...(typeof statusMessage === 'string' && statusMessage !== '' && { statusMessage }),
  };
}

/** A function's own name; a command's line, if the dialect names commands so. */
function ownNameOf({ type, callback, command }: Fields, { namesCommands }: Dialect): string | undefined {
  if (type === 'callback') return (callback as { readonly name?: string }).name || undefined;
  if (type !== 'command' || !namesCommands) return undefined;
  return oneLine(String(command), 80);
}
