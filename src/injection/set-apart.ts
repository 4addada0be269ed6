/** Marks what hooks inject, so that a model can tell it from the output of a tool and from the words of its user. */
import { remind, withoutFrames } from '../base/text/remind.js';
import type { Injection } from '../handlers/verdict.js';

const RULE = /═{3,}/g;
const LINE = '═'.repeat(55);

/**
 * Marks an injection of a hook: between lines, to be appended to a tool's result, or as a `<system-reminder>`, to be
 * placed after it. Nothing in its content looks like a mark of ours: a hook may pass on what others wrote. Never throws.
 */
export function setApart({ content, strategy }: Injection): string {
  if (strategy === 'user_message') return remind(content);
  const own = withoutFrames(content).replaceAll(RULE, (line) => '='.repeat(line.length));
  return `${LINE}\nSYSTEM CONTEXT (not part of tool output):\n${own}\n${LINE}`;
}
