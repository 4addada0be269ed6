/** One callback per event for the SDK's list of hooks, behind those that were there before. */
import type { HookCallback, HookCallbackMatcher } from '@anthropic-ai/claude-agent-sdk';
import type { HookEvent } from '../../events/types.js';
import type { SdkHooks, Settings } from './options.js';

/** Theirs come first, in their order, and are not touched; events that only they know stay. */
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
  // Newer SDKs know more events than these fifteen, so the keys of `merge` may be any text.
  return hooks as SdkHooks;
}
