/**
 * Shows the text of an answer while it arrives. MessageDisplay hooks see every batch of whole lines first, and may replace
 * what people see of it; the conversation keeps the original.
 */
import { randomUUID } from 'node:crypto';
import type { ContentBlock } from '../models/port.js';
import type { Agent } from './agent.js';
import type { PartialMessage } from './messages.js';
import { emitMessage, type Session } from './session.js';

export class Display {
  readonly #session: Session;
  readonly #agent: Agent;
  readonly #signal: AbortSignal;
  readonly #hooked: boolean;
  readonly #messageId = randomUUID();
  /** What people see of each text block. */
  readonly #shown = new Map<number, string>();
  #waiting: { readonly block: number; text: string } | undefined;
  #index = 0;

  constructor(session: Session, agent: Agent, signal: AbortSignal) {
    this.#session = session;
    this.#agent = agent;
    this.#signal = signal;
    this.#hooked = session.hooks.hasHooks('MessageDisplay', agent);
  }

  /** `block`: the place of the text's block in the answer. */
  async text(block: number, text: string): Promise<void> {
    if (!this.#hooked) {
      this.piece(block, { type: 'text_delta', text });
      return;
    }
    if (this.#waiting !== undefined && this.#waiting.block !== block) await this.#flush(false);
    this.#waiting ??= { block, text: '' };
    this.#waiting.text += text;
    // Without partial messages the answer is shown as a whole, so hooks see it as a whole.
    if (this.#session.options.includePartialMessages === true && text.includes('\n')) await this.#lines();
  }

  piece(index: number, delta: PartialMessage['event']['delta']): void {
    if (this.#session.options.includePartialMessages !== true) return;
    emitMessage(this.#session, {
      type: 'stream_event',
      event: { type: 'content_block_delta', index, delta },
      parent_tool_use_id: this.#agent.parentToolUseId,
    });
  }

  /** Shows the rest, and returns the blocks as people see them. */
  async end(blocks: readonly ContentBlock[]): Promise<readonly ContentBlock[]> {
    if (this.#waiting === undefined && this.#index === 0) return blocks;
    await this.#flush(true);
    return blocks.map((block, i) => {
      const text = this.#shown.get(i);
      return block.type === 'text' && text !== undefined ? { ...block, text } : block;
    });
  }

  /** Shows the whole lines that have arrived. */
  async #lines(): Promise<void> {
    const { block, text } = this.#waiting ?? { block: 0, text: '' };
    const end = text.lastIndexOf('\n') + 1;
    this.#waiting = { block, text: text.slice(0, end) };
    await this.#flush(false);
    this.#waiting = { block, text: text.slice(end) };
  }

  async #flush(final: boolean): Promise<void> {
    const { block, text } = this.#waiting ?? { block: Math.max(0, ...this.#shown.keys()), text: '' };
    this.#waiting = undefined;
    const outcome = await this.#session.hooks.fire(
      'MessageDisplay',
      this.#agent,
      {
        turn_id: this.#session.promptId ?? this.#session.id,
        message_id: this.#messageId,
        index: this.#index++,
        final,
        delta: text,
      },
      { signal: this.#signal },
    );
    const replaced = outcome.hookSpecificOutputs.findLast(
      ({ displayContent }) => displayContent !== undefined,
    )?.displayContent;
    const shown = replaced ?? text;
    this.#shown.set(block, (this.#shown.get(block) ?? '') + shown);
    if (shown !== '') this.piece(block, { type: 'text_delta', text: shown });
  }
}
