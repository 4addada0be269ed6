/**
 * The permissions of a session: decides calls, suggests updates that a user could approve, and applies approved
 * updates.
 */
import { decide } from './decide.js';
import { JudgedCall } from './judged-call.js';
import { createLinkFollower } from './paths.js';
import { namesTool } from './rule.js';
import { pathFieldOf } from './rule-tools.js';
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

/** From the most to the least restrictive. */
const MODES_BY_STRICTNESS: readonly PermissionMode[] = [
  'plan',
  'dontAsk',
  'default',
  'acceptEdits',
  'bypassPermissions',
];

/** The rules, mode and directories of a session. Only the constructor, `apply` and `fork` throw. */
export class Permissions {
  /** Shared by all agents of a session. */
  #session: { state: PermissionState };
  #parent: Permissions | undefined;
  #ownMode: PermissionMode | undefined;

  /** Throws a HookError with code `invalid_option` that names the invalid rule, mode or directory. */
  constructor(options: PermissionOptions = {}) {
    this.#session = { state: firstState(options) };
  }

  /** The current mode. */
  get mode(): PermissionMode {
    const around = this.#parent?.mode ?? this.#session.state.mode;
    const own = this.#ownMode;
    return own !== undefined && MODES_BY_STRICTNESS.indexOf(own) < MODES_BY_STRICTNESS.indexOf(around)
      ? own
      : around;
  }

  /** The root first, then the added directories. */
  get directories(): readonly string[] {
    return this.#session.state.directories.paths;
  }

  /** Whether a call may run. Contract: changes nothing. Reads the file system to resolve links. */
  decide(call: PermissionCall): PermissionVerdict {
    const state = this.#state();
    return decide(new JudgedCall(call, state), state);
  }

  /** Whether a rule denies every call of a tool, so that offering it is pointless. */
  hides(toolName: string, aliases: readonly string[] = []): boolean {
    const denying = this.#session.state.rules.of('deny').filter(({ specifier }) => specifier === undefined);
    return [toolName, ...aliases].some((name) => denying.some((rule) => namesTool(rule, name)));
  }

  /**
   * For an allowed call that finds files on its own: returns a filter that says whether it may show a file, given by
   * its absolute path. A file is hidden if a deny rule matches it, or an ask rule that the call itself did not match.
   */
  readFilter(call: PermissionCall): (path: string) => boolean {
    const state = this.#state();
    return createReadFilter(new JudgedCall(call, state), state);
  }

  /**
   * The updates that a user could approve, all together, so that this call and similar ones need no confirmation. Empty
   * if that would not help: if a hook or a rule asks, or the call needs no confirmation.
   */
  suggest(call: PermissionCall): PermissionUpdate[] {
    const state = this.#state();
    return suggest(new JudgedCall(call, state), state);
  }

  /**
   * Applies updates to all agents of the session, whatever their destination; nothing is written to disk. All updates
   * or none: throws a HookError with code `invalid_option` for an invalid rule or mode.
   */
  apply(updates: readonly PermissionUpdate[]): void {
    this.#session.state = updateState(this.#session.state, updates);
    const mode = updates.findLast((update) => update.type === 'setMode')?.mode;
    if (mode === undefined) return;
    for (let one: Permissions | undefined = this; one !== undefined; one = one.#parent)
      if (one.#ownMode !== undefined) one.#ownMode = checkMode(mode);
  }

  /**
   * Permissions for a subagent. It shares the rules, directories and mode of the session, and updates approved for it
   * apply to the whole session. With a mode of its own, the more restrictive of the two applies. Throws a HookError for
   * an invalid mode.
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

/**
 * Filters the files that a search may show: hides those that a rule keeps from being read. Takes absolute paths.
 * Contract: the cost of one test is bounded by the rules and the length of the path.
 */
function createReadFilter(judged: JudgedCall, { rules }: PermissionState): (path: string) => boolean {
  // Ask rules that matched the call itself have been approved with it.
  const asking = rules.of('ask').filter((rule) => !judged.isCaughtBy(rule));
  const hiding = [...rules.of('deny'), ...asking].filter(
    ({ tool, specifier }) =>
      specifier !== undefined &&
      (tool === 'Read' || (judged.names.includes(tool) && pathFieldOf(tool) !== undefined)),
  );
  if (hiding.length === 0) return () => true;
  const follow = createLinkFollower();
  return (path) => !judged.isFileCaughtBy(hiding, { path, real: follow(path) });
}
