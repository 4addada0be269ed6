/** Reads one line of a transcript, which may come from another program or version, or be corrupt. */
import { messageOf, show } from '../../base/errors.js';
import { beginning } from '../../base/json/read-json.js';
import type { ContentBlock, ModelMessage, ModelUsage } from '../models/port.js';
import { addContext } from './added-text.js';
import { CLEARED, HOOK_CONTEXT, REPLACED, SPENDING, TITLE } from './line.js';
import { readUsage } from './past-spending.js';
import { type Fields, isFields, readBlock } from './read-block.js';
import { type ReplacedBlock, readReplaced } from './replaced-blocks.js';

/** A message as it is in the file. Several with the same id may be parts of one message. */
export interface ReadMessage extends ModelMessage {
  readonly id?: string | undefined;
  readonly isSummary: boolean;
  /** The model that answered; empty if it is not known. */
  readonly model: string;
  readonly usage: ModelUsage;
}

export interface ReadLine {
  readonly uuid: string | undefined;
  readonly sessionId: string | undefined;
  /** The subagent it belongs to; undefined for the main conversation. */
  readonly agentId: string | undefined;
  readonly isSidechain: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number | undefined;
  /** Everything before it was cleared. */
  readonly isClear: boolean;
  /** Blocks before it that have a smaller form. */
  readonly replaced: readonly ReplacedBlock[];
  /** What the session has used until here, by model. */
  readonly spending: Fields | undefined;
  /** The title that the session has from here on. */
  readonly title: string | undefined;
  /** Undefined for lines that are not sent to a model. */
  readonly message: ReadMessage | undefined;
  /** Parts of the line that could not be read. */
  readonly problems: readonly string[];
}

/** Returns an error message if the line cannot be read at all. */
export function readLine(text: string): ReadLine | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return `is not JSON (${messageOf(error)}); it begins with ${beginning(text)}`;
  }
  if (!isFields(line)) return `is not a JSON object; it begins with ${beginning(text)}`;
  const { type, message, isCompactSummary } = line;
  const at = Date.parse(textOf(line['timestamp']) ?? '');
  const problems: string[] = [];
  return {
    uuid: textOf(line['uuid']),
    sessionId: textOf(line['sessionId']),
    agentId: textOf(line['agentId']),
    isSidechain: line['isSidechain'] === true,
    at: Number.isNaN(at) ? undefined : at,
    isClear: type === 'system' && line['subtype'] === CLEARED,
    replaced: type === 'system' && line['subtype'] === REPLACED ? readReplaced(line['replacedBlocks']) : [],
    spending:
      type === 'system' && line['subtype'] === SPENDING && isFields(line['modelUsage'])
        ? line['modelUsage']
        : undefined,
    title: type === TITLE ? textOf(line['customTitle']) : undefined,
    message:
      type === 'user' || type === 'assistant'
        ? readMessage(type, message, isCompactSummary === true, problems)
        : type === 'attachment'
          ? readContext(line['attachment'])
          : undefined,
    problems,
  };
}

/** Undefined for the many other attachments, which are not sent to a model here. */
function readContext(attachment: unknown): ReadMessage | undefined {
  if (!isFields(attachment) || attachment['type'] !== HOOK_CONTEXT) return undefined;
  const { content, hookEvent } = attachment;
  const texts = Array.isArray(content) ? content.filter((text) => typeof text === 'string') : [];
  if (texts.length === 0) return undefined;
  const event = textOf(hookEvent) ?? 'A';
  const hookName = textOf(attachment['hookName']) ?? event;
  const { text } = addContext({ hookName, hookEvent: event, content: texts });
  return {
    role: 'user',
    content: [{ type: 'text', text }],
    isSummary: false,
    model: '',
    usage: readUsage(undefined),
  };
}

function readMessage(
  role: ModelMessage['role'],
  message: unknown,
  isSummary: boolean,
  problems: string[],
): ReadMessage | undefined {
  const { id, model, content, usage }: Fields = isFields(message) ? message : {};
  if (typeof content !== 'string' && !Array.isArray(content)) {
    problems.push(`is of type ${role}, but has no message with content`);
    return undefined;
  }
  const writer = textOf(model) ?? '';
  const blocks: ContentBlock[] = [];
  for (const value of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
    const block = readBlock(value, writer);
    if (block !== undefined) blocks.push(block);
    else problems.push(`has content that a conversation cannot hold: ${describe(value)}`);
  }
  return { role, content: blocks, id: textOf(id), isSummary, model: writer, usage: readUsage(usage) };
}

function describe(value: unknown): string {
  if (!isFields(value)) return `${show(value)} in place of a block`;
  return `a block of type ${show(value['type'])}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
