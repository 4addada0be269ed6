/** Formats what hooks and other agents send to the model. */
import { remind } from '../../injection/set-apart.js';
import type { HookResult } from '../../runner/outcome.js';

/** Context added by the hooks of one event. `place` is the event and its subject, such as `PreToolUse:Bash`. */
export function remindOfContext(place: string, texts: readonly string[]): string[] {
  const nonEmpty = texts.filter((text) => text.trim() !== '');
  return nonEmpty.length === 0 ? [] : [remind(`${place} hook adds: ${nonEmpty.join('\n')}`)];
}

/** All refusals, in the order of the hooks. */
export function refusals(results: readonly HookResult[]): readonly HookResult[] {
  return results.filter(({ decision }) => decision === 'deny');
}

export const reasonOf = ({ reason }: HookResult): string => reason || 'no reason given';

export function remindOfRefusals(place: string, results: readonly HookResult[]): string[] {
  return refusals(results).map((result) =>
    remind(`${place} hook ${JSON.stringify(result.name)} objects: ${reasonOf(result)}`),
  );
}

/** Feedback as a separate message that the model must act on. */
export function feedbackOf(place: string, result: HookResult): string {
  return `${place} hook feedback:\n${reasonOf(result)}`;
}
