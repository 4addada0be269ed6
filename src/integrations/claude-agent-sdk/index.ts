/** hookline/claude-agent-sdk: a runner's hooks, and a mailbox's items, for agents of the Claude Agent SDK. */
import { ALL_EVENTS } from '../../events/registry.js';
import { reportProblem } from '../ask-hooks.js';
import { SdkBridge } from './bridge.js';
import type { SdkHookOptions, SdkHooks, SdkRunner } from './options.js';
import { formFor } from './roles.js';

export type { ErrorPolicy } from '../ask-hooks.js';
export type { SdkHookOptions, SdkHooks, SdkRunner };
export { SdkBridge };

/**
 * Creates the hooks for `query({ options: { hooks } })`: one callback per event, which fires the event on the runner.
 * Use them for one query only. To run hooks of SessionEnd, and to know exactly which items of a mailbox were sent, create
 * an `SdkBridge` and let it follow the query. Throws a `HookError` for invalid options.
 */
export function toSdkHooks(runner: SdkRunner, options: SdkHookOptions = {}): SdkHooks {
  const { hooks } = new SdkBridge(runner, options);
  const { agentId, onProblem } = options;
  const lost = ALL_EVENTS.filter(
    (event) => formFor(event).role === 'session-ends' && runner.hasHooks?.(event, agentId) === true,
  );
  if (lost.length > 0 && onProblem !== undefined)
    reportProblem(
      onProblem,
      'Hooks of SessionEnd do not run: the SDK calls them when nobody can answer any more. Create an SdkBridge, and let it follow the query.',
    );
  return hooks;
}
