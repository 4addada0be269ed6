/** hookline/claude-agent-sdk: a runner's hooks, and a mailbox's items, for agents of the Claude Agent SDK. */
import { SdkBridge } from './bridge.js';
import type { SdkHookOptions, SdkHooks, SdkRunner } from './options.js';

export type { ErrorPolicy } from '../ask-hooks.js';
export type { SdkHookOptions, SdkHooks, SdkRunner };
export { SdkBridge };

/**
 * What `query({ options: { hooks } })` takes: one callback per event, which asks the runner. For one query; who has a
 * mailbox and wants to know exactly what was sent makes an `SdkBridge` and lets it follow the query. Throws a `HookError`
 * for options that cannot be used.
 */
export function toSdkHooks(runner: SdkRunner, options: SdkHookOptions = {}): SdkHooks {
  return new SdkBridge(runner, options).hooks;
}
