/** Notices an agent that repeats itself: calls and results that it has had before. */
import { createHash } from 'node:crypto';
import type { ContentBlock, ModelMessage, ToolResultBlock, ToolUseBlock } from '../models/port.js';

export class Progress {
  readonly #seen = new Set<string>();
  #repeated = 0;

  /** Call this after the tools of a turn. Returns how many turns in a row have brought nothing new. */
  afterTools(messages: readonly ModelMessage[]): number {
    const [answer, results] = messages.slice(-2);
    const before = this.#seen.size;
    for (const print of printsOf(answer?.content ?? [], results?.content ?? [])) this.#seen.add(print);
    this.#repeated = this.#seen.size === before ? this.#repeated + 1 : 0;
    return this.#repeated;
  }

  /** Something new reached the agent from outside. */
  reset(): void {
    this.#repeated = 0;
  }
}

function printsOf(answer: readonly ContentBlock[], results: readonly ContentBlock[]): string[] {
  const uses = new Map(answer.filter(isUse).map((use) => [use.id, use]));
  return results.filter(isResult).map(({ tool_use_id, content, is_error }) => {
    const { name, input } = uses.get(tool_use_id) ?? {};
    // A call that keeps failing for the same reason brings nothing new, whatever its input.
    const call = is_error === true ? [name, content] : [name, input, content];
    return createHash('sha256').update(JSON.stringify(call)).digest('base64');
  });
}

const isUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';
const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === 'tool_result';
