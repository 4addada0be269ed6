/** The permissions of a session: decides calls, suggests what a person could agree to, and takes in what was agreed. */
import { decide } from './decide.js';
import { JudgedCall } from './judged-call.js';
import { createReadFilter } from './read-filter.js';
import { namesTool } from './rule.js';
import { checkMode, firstState, type PermissionState, updateState } from './state.js';
import { suggest } from './suggest.js';
import type {
  PermissionCall,
  PermissionMode,
  PermissionOptions,
  PermissionUpdate,
  PermissionVerdict,
} from './types.js';

export {
  PERMISSION_MODES,
  type PermissionBehavior,
  type PermissionCall,
  type PermissionMode,
  type PermissionOptions,
  type PermissionUpdate,
  type PermissionVerdict,
} from './types.js';

/** From the one that lets least happen to the one that lets most. */
const BY_WIDTH: readonly PermissionMode[] = [
  'plan',
  'dontAsk',
  'default',
  'acceptEdits',
  'bypassPermissions',
];

/** The rules, mode and directories of a session. Only what changes them throws: the constructor, `apply` and `fork`. */
export class Permissions {
  /** Shared by all agents of a session. */
  #session: { state: PermissionState };
  #parent: Permissions | undefined;
  #ownMode: PermissionMode | undefined;

  /** Throws a HookError, code `invalid_option`, that names the rule, mode or directory that cannot be used. */
  constructor(options: PermissionOptions = {}) {
    this.#session = { state: firstState(options) };
  }

  /** The mode that holds now. */
  get mode(): PermissionMode {
    const around = this.#parent?.mode ?? this.#session.state.mode;
    const own = this.#ownMode;
    return own !== undefined && BY_WIDTH.indexOf(own) < BY_WIDTH.indexOf(around) ? own : around;
  }

  /** The root first, then those that were added. */
  get directories(): readonly string[] {
    return this.#session.state.directories.paths;
  }

  /** Whether a call may run. Contract: changes nothing. Looks at the file system, to follow links. */
  decide(call: PermissionCall): PermissionVerdict {
    const state = this.#state();
    return decide(new JudgedCall(call, state), state);
  }

  /** Whether a rule denies every call of a tool, so that there is no point in offering it. */
  hides(toolName: string, aliases: readonly string[] = []): boolean {
    const denying = this.#session.state.rules.of('deny').filter(({ specifier }) => specifier === undefined);
    return [toolName, ...aliases].some((name) => denying.some((rule) => namesTool(rule, name)));
  }

  /**
   * For a call that may run and finds files on its own: whether it may show a file, given by its absolute path. It may not
   * where a rule denies reading the file, or asks about it and was not asked about with the call.
   */
  readFilter(call: PermissionCall): (path: string) => boolean {
    const state = this.#state();
    return createReadFilter(new JudgedCall(call, state), state);
  }

  /**
   * What a person could agree to so that this call, and calls like it, need no approval any more: all of it together.
   * Empty where agreeing would not help: because a hook or a rule asks, or nothing is asked at all.
   */
  suggest(call: PermissionCall): PermissionUpdate[] {
    const state = this.#state();
    return suggest(new JudgedCall(call, state), state);
  }

  /**
   * Counts for all agents of the session from now on, whatever its destination is; nothing is written anywhere. All
   * updates or none: throws a HookError, code `invalid_option`, for a rule or a mode that cannot be used.
   */
  apply(updates: readonly PermissionUpdate[]): void {
    this.#session.state = updateState(this.#session.state, updates);
    const mode = updates.findLast((update) => update.type === 'setMode')?.mode;
    if (mode === undefined) return;
    for (let one: Permissions | undefined = this; one !== undefined; one = one.#parent)
      if (one.#ownMode !== undefined) one.#ownMode = checkMode(mode);
  }

  /**
   * For a subagent. It has the rules, directories and mode of the session as they are at any time, and what is agreed to on
   * its behalf counts for the whole session. With a mode of its own, the narrower of that and the session's holds; a mode
   * that is none throws a HookError.
   */
  fork({ mode }: { readonly mode?: PermissionMode | undefined } = {}): Permissions {
    const { root, home } = this.#session.state;
    const fork = new Permissions({ root, home });
    fork.#session = this.#session;
    fork.#parent = this;
    fork.#ownMode = mode === undefined ? undefined : checkMode(mode);
    return fork;
  }

  #state(): PermissionState {
    return { ...this.#session.state, mode: this.mode };
  }
}
