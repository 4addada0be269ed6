/** Blocks that a smaller form has replaced in a conversation: a resumed session has the smaller form too. */
import { createHash } from 'node:crypto';
import type { ContentBlock, ModelMessage } from '../models/port.js';
import { isFields, readBlock } from './read-block.js';

export interface ReplacedBlock {
  /** Which block: a result by its call, any other by its content. */
  readonly was: string;
  readonly block: ContentBlock;
}

/** `after` has the same messages and blocks as `before`, some of them smaller. */
export function replacedBlocks(
  before: readonly ModelMessage[],
  after: readonly ModelMessage[],
): readonly ReplacedBlock[] {
  const nameOf = createNames();
  return before.flatMap(({ content }, i) =>
    content.flatMap((each, j) => {
      const was = nameOf(each);
      const block = after[i]?.content[j];
      return block === undefined || block === each ? [] : [{ was, block }];
    }),
  );
}

/** Blocks that are not there are passed over. */
export function replaceBlocks<Message extends ModelMessage>(
  messages: readonly Message[],
  replaced: readonly ReplacedBlock[],
): Message[] {
  const nameOf = createNames();
  const byName = new Map(replaced.map(({ was, block }) => [was, block]));
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => byName.get(nameOf(block)) ?? block),
  }));
}

/** Of a line of a file, what can be read. */
export function readReplaced(value: unknown): readonly ReplacedBlock[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const { was, block } = isFields(each) ? each : {};
    const read = readBlock(block, '');
    return typeof was === 'string' && read !== undefined ? [{ was, block: read }] : [];
  });
}

/** Names blocks in the order of the conversation; of several that are the same, each has its number. */
function createNames(): (block: ContentBlock) => string {
  const seen = new Map<string, number>();
  return (block) => {
    const name = nameByContent(block);
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return `${name} ${number}`;
  };
}

/** A result may have got items of a mailbox, which the transcript has in lines of their own; its call stays the same. */
function nameByContent(block: ContentBlock): string {
  if (block.type === 'tool_result') return `result of ${block.tool_use_id}`;
  const known = JSON.stringify(readBlock(block, '') ?? block);
  return `${block.type} ${createHash('sha256').update(known).digest('hex')}`;
}
