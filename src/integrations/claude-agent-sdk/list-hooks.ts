/** Adds one callback per event to the SDK's hooks, after existing ones. */
import type { HookCallback, HookCallbackMatcher } from '@anthropic-ai/claude-agent-sdk';
import type { HookEvent } from '../../events/types.js';
import type { SdkHooks, Settings } from './options.js';

/** Existing hooks come first and are not changed; events unknown here are kept. */
export function listHooks(
  { merge = {}, events, matchers, timeout }: Settings,
  callbackFor: (event: HookEvent) => HookCallback,
): SdkHooks {
  const hooks: Partial<Record<string, HookCallbackMatcher[]>> = {};
  for (const [event, theirs] of Object.entries(merge)) if (theirs !== undefined) hooks[event] = [...theirs];
  for (const event of events) {
    const matcher = matchers[event];
    const ours = { ...(matcher !== undefined && { matcher }), hooks: [callbackFor(event)], timeout };
    hooks[event] = [...(hooks[event] ?? []), ours];
  }
  // Newer SDKs have more events than these fifteen, so the keys of `merge` may be any string.
  return hooks as SdkHooks;
}
