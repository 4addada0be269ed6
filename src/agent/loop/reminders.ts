/** The words in which the loop tells the model what hooks and others have to say. */
import type { HookResult } from '../../runner/outcome.js';

/** Models do not read as strictly as parsers: capitals and spaces do not keep them from seeing an end. */
const CLOSING = /<(?=\s*\/\s*system-reminder)/gi;

/** A text that is marked as not coming from the user; what it holds cannot close the mark. */
export function remind(text: string): string {
  return `<system-reminder>\n${text.replaceAll(CLOSING, '<\\')}\n</system-reminder>`;
}

/** What hooks of one event add. `place` is the event with what it was about, such as `PreToolUse:Bash`. */
export function remindOfContext(place: string, texts: readonly string[]): string[] {
  const said = texts.filter((text) => text.trim() !== '');
  return said.length === 0 ? [] : [remind(`${place} hook adds: ${said.join('\n')}`)];
}

/** Every hook that refused, with its reason, in the order of the hooks. */
export function refusals(results: readonly HookResult[]): readonly HookResult[] {
  return results.filter(({ decision }) => decision === 'deny');
}

export const reasonOf = ({ reason }: HookResult): string => reason || 'it gives no reason';

export function remindOfRefusals(place: string, results: readonly HookResult[]): string[] {
  return refusals(results).map((result) =>
    remind(`${place} hook ${JSON.stringify(result.name)} objects: ${reasonOf(result)}`),
  );
}

/** Feedback that is a message of its own: the model has to act on it. */
export function feedbackOf(place: string, result: HookResult): string {
  return `${place} hook feedback:\n${reasonOf(result)}`;
}
