/** Fires the hooks of all folders that judge a host's call, and combines what they decided. */
import { isOfWorkspace, isRemoved } from '../../config/loaded.js';
import type { AnyEvent } from '../../events/types.js';
import type { Fired } from '../../hosts/bridge.js';
import type { HostCall } from '../../hosts/decode.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { LoadedHooks } from '../hooks/load.js';
import { type CallPlace, foldersOfCall, lostHooks, withHooks } from './call-folders.js';
import { type CallOptions, fireCall, loadForHost, mayBlock } from './fire-call.js';

export interface CallHooks {
  fire(event: AnyEvent, input: HostCall['input'], call: HostCall): Promise<Fired>;
  /** Whether a hook of the event is set to block, as far as hooks are loaded; true while they are not. */
  blocks(event: AnyEvent): boolean;
}

/** `folder`: the only one that counts, whatever the call names. Reading files begins at once. */
export function callHooks(place: CallPlace, options: CallOptions, folder?: string): CallHooks {
  const known = new Map<string, Promise<LoadedHooks>>();
  const load = (from: string, user: boolean): Promise<LoadedHooks> => {
    const key = `${user} ${from}`;
    const loading = known.get(key) ?? loadForHost(from, { ...options, user });
    known.set(key, loading);
    return loading;
  };
  let loaded: readonly LoadedHooks[] | undefined;
  // A folder that has no file of hooks any more may be one in which some were approved.
  const approved = import('../../config/trust/approved.js').then(({ approvedFolders }) => approvedFolders());
  const start = folder ?? withHooks(place, place.cwd);
  // They are awaited when the input has been read.
  approved.catch(() => {});
  if (start !== undefined) load(start, options.user).catch(() => {});
  const all = async (call: HostCall): Promise<readonly LoadedHooks[]> => {
    const folders = folder === undefined ? foldersOfCall(place, call, await approved) : [folder];
    // The user's own hooks run once.
    const hooks = await Promise.all(folders.map((each, i) => load(each, options.user && i === 0)));
    const [first] = hooks;
    if (place.required !== undefined && first !== undefined && isBare(first))
      throw lostHooks(place.host, first.cwd);
    return hooks;
  };
  return {
    async fire(event, input, call) {
      loaded ??= await all(call);
      let fired: Fired | undefined;
      for (const hooks of loaded) {
        const current = fired === undefined ? input : asChanged(input, fired.outcome);
        const next = await fireCall(hooks, event, current, call, options);
        fired = fired === undefined ? next : together(fired, next);
        if (fired.outcome.decision === 'deny') break;
      }
      if (fired === undefined) throw new Error('there is no folder to look for hooks in');
      return fired;
    },
    blocks: (event) => loaded === undefined || loaded.some((hooks) => mayBlock(hooks, event)),
  };
}

/** Whether no hook of the folder itself is left. What cannot be read, or is not approved, refuses by itself. */
function isBare({ entries, diagnostics, configs }: LoadedHooks): boolean {
  const own = entries.some(
    ({ hook }) => isOfWorkspace(hook.source) && hook.inactive?.reason !== 'disabled' && !isRemoved(hook),
  );
  const pending = configs.some(({ unimported = [] }) => unimported.length > 0);
  return !own && !pending && !diagnostics.some(({ failsOpen }) => failsOpen !== undefined);
}

const RANK = { allow: 1, ask: 2, defer: 3, deny: 4 } as const;

/** As if the hooks of both folders were of one fire: the stricter decision counts. */
function together(one: Fired, two: Fired): Fired {
  const [a, b] = [one.outcome, two.outcome];
  const stricter = rank(b) > rank(a) ? b : a;
  const ends = [a, b].find((each) => each.continue === false);
  const goesOn = a.continue === true || b.continue === true;
  const outcome: HookOutcome = {
    ...a,
    ...given(stricter, ['decision', 'reason']),
    ...given(a, ['updatedInput', 'updatedOutput']),
    ...given(b, ['updatedInput', 'updatedOutput']),
    ...(goesOn && { continue: true }),
    ...(ends !== undefined && given(ends, ['continue', 'stopReason'])),
    results: [...a.results, ...b.results],
    systemMessages: [...a.systemMessages, ...b.systemMessages],
    additionalContext: [...(a.additionalContext ?? []), ...(b.additionalContext ?? [])],
    injections: [...a.injections, ...b.injections],
    failures: [...a.failures, ...b.failures],
  };
  return { outcome, problems: [...one.problems, ...two.problems] };
}

const rank = ({ decision }: HookOutcome): number => (decision === undefined ? 0 : RANK[decision]);

function given(outcome: HookOutcome, keys: readonly (keyof HookOutcome)[]): Partial<HookOutcome> {
  return Object.fromEntries(keys.flatMap((key) => (outcome[key] === undefined ? [] : [[key, outcome[key]]])));
}

/** The next folder judges what the one before left. */
function asChanged(
  input: HostCall['input'],
  { updatedInput, updatedOutput }: HookOutcome,
): HostCall['input'] {
  return {
    ...input,
    ...(updatedInput !== undefined && { tool_input: updatedInput }),
    ...(updatedOutput !== undefined && { tool_response: updatedOutput }),
  };
}
