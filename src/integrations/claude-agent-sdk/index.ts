/** hookline/claude-agent-sdk: a runner's hooks, and a mailbox's items, for agents of the Claude Agent SDK. */
import { reportLostEnd, SdkBridge } from './bridge.js';
import type { SdkHookOptions, SdkHooks, SdkRunner } from './options.js';

export type { ErrorPolicy } from '../ask-hooks.js';
export type { SdkHookOptions, SdkHooks, SdkRunner };
export { SdkBridge };

/**
 * Creates the hooks for `query({ options: { hooks } })`: one callback per event, which fires the event on the runner.
 * Use them for one query only. To run hooks of SessionEnd, and to know exactly which items of a mailbox were sent, create
 * an `SdkBridge` and let it follow the query. Throws a `HookError` for invalid options.
 */
export function toSdkHooks(runner: SdkRunner, options: SdkHookOptions = {}): SdkHooks {
  reportLostEnd(runner, options);
  return new SdkBridge(runner, options).hooks;
}
