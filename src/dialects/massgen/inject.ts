/** Reads the `inject` of a HookResult: one piece of content or several, each with its own way of delivery. */
import { show } from '../../base/errors.js';
import type { Injection } from '../../handlers/verdict.js';

export type InjectRead =
  | { readonly injections: readonly Injection[]; readonly notes: readonly string[] }
  | { readonly problem: string };

/** Nothing is joined: every piece keeps its strategy, and an empty one is told about, not delivered. */
export function readInjections(inject: unknown): InjectRead {
  if (inject === undefined || inject === null) return { injections: [], notes: [] };
  const injections: Injection[] = [];
  const notes: string[] = [];
  for (const piece of Array.isArray(inject) ? inject : [inject]) {
    if (typeof piece !== 'object' || piece === null || Array.isArray(piece)) {
      return { problem: `\`inject\` is ${show(piece)}; give an object with \`content\`` };
    }
    const { content = null, strategy } = piece as Readonly<Record<string, unknown>>;
    const way = strategy ?? 'tool_result';
    if (way !== 'tool_result' && way !== 'user_message') {
      return { problem: `\`inject.strategy\` is ${show(way)}; give tool_result or user_message` };
    }
    if (content === null || content === '') notes.push('an `inject` without content is ignored');
    else if (typeof content === 'string') injections.push({ content, strategy: way });
    else return { problem: `\`inject.content\` is ${show(content)}; give a string` };
  }
  return { injections, notes };
}
