/** Gives every tool call of a conversation an id of its own: services demand it, and some repeat theirs. */
import { randomUUID } from 'node:crypto';
import type { ContentBlock, ModelMessage, ToolUseBlock } from '../models/port.js';

/** OpenAI refuses longer ids. */
const MAX_LENGTH = 64;

/** The ids of one conversation. */
export class CallIds {
  readonly #used = new Set<string>();

  /** Returns the call, with another id if the conversation already has its own. */
  claim(use: ToolUseBlock): ToolUseBlock {
    const id = this.#free(use.id);
    this.#used.add(id);
    return id === use.id ? use : { ...use, id };
  }

  #free(id: string): string {
    if (id === '') return this.#free(`call_${randomUUID().replaceAll('-', '')}`);
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? '' : `_${count}`;
      const candidate = `${id.slice(0, MAX_LENGTH - suffix.length)}${suffix}`;
      if (!this.#used.has(candidate)) return count === 1 && !this.#used.has(id) ? id : candidate;
    }
  }
}

type Kept = ModelMessage & { readonly id?: string | undefined };

/**
 * Renames repeated ids of calls, and the results with them: of several calls with the same id, the first result belongs
 * to the first call. A call that is repeated in another part of the same answer is the same call.
 */
export function separateCalls<Message extends Kept>(messages: readonly Message[]): readonly Message[] {
  const ids = new CallIds();
  let answerId: string | undefined;
  let open = new Map<string, string[]>();
  return messages.map((message) => {
    if (message.role === 'user') return changed(message, (block) => renameResult(open, block));
    const before = message.id !== undefined && message.id === answerId ? open : undefined;
    answerId = message.id;
    open = new Map(before);
    return changed(message, (block) => {
      if (block.type !== 'tool_use' || before?.has(block.id)) return block;
      const use = ids.claim(block);
      open.set(block.id, [...(open.get(block.id) ?? []), use.id]);
      return use;
    });
  });
}

function renameResult(open: ReadonlyMap<string, string[]>, block: ContentBlock): ContentBlock {
  if (block.type !== 'tool_result') return block;
  const id = open.get(block.tool_use_id)?.shift();
  return id === undefined || id === block.tool_use_id ? block : { ...block, tool_use_id: id };
}

/** The same message, if no block changes. */
function changed<Message extends Kept>(
  message: Message,
  change: (block: ContentBlock) => ContentBlock,
): Message {
  const content = message.content.map(change);
  return content.every((block, i) => block === message.content[i]) ? message : { ...message, content };
}
