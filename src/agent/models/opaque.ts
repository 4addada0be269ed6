/** Which blocks of a conversation go back to a model: its own, at a place where its service accepts them. */
import type { ContentBlock, OpaqueBlock } from './port.js';

const OPAQUE: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'service_block']);

export function isOpaque(block: ContentBlock): block is OpaqueBlock {
  return OPAQUE.has(block.type);
}

/** Thinking, in contrast to calls and results of tools that the service runs. */
export function isThinking(block: ContentBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/**
 * Leaves out what another service or model has thought, and thinking at the end of an answer: services reject thinking
 * that nothing follows, as when the answer was cut off.
 */
export function withoutForeign(
  content: readonly ContentBlock[],
  provider: string,
  model: string,
): readonly ContentBlock[] {
  const own = content.filter(
    (block) => !isOpaque(block) || (block.provider === provider && block.model === model),
  );
  const last = own.findLastIndex((block) => !isThinking(block));
  return last === own.length - 1 ? own : own.slice(0, last + 1);
}
