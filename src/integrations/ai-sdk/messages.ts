/** Reads and extends the host's messages. */
import { fieldOf } from '../tool-content.js';
import type { HostMessage, TextPart } from './host.js';

const partsOf = (message: HostMessage | undefined): readonly unknown[] =>
  Array.isArray(message?.content) ? message.content : [];

const isType = (part: unknown, type: string): boolean => fieldOf(part, 'type') === type;

export const userMessage = (content: string): HostMessage => ({ role: 'user', content });

/** What a person wrote. */
export function textOfMessage({ content }: HostMessage): string {
  if (typeof content === 'string') return content;
  return partsOf({ role: 'user', content })
    .map((part) => (isType(part, 'text') ? fieldOf(part, 'text') : undefined))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** The message of a user with texts behind it, which stay in the conversation with it. */
export function withTexts(message: HostMessage, texts: readonly string[]): HostMessage {
  if (texts.length === 0) return message;
  const { content } = message;
  const own = typeof content === 'string' ? [textPart(content)] : partsOf(message);
  return { ...message, content: [...own, ...texts.map(textPart)] };
}

const textPart = (text: string): TextPart => ({ type: 'text', text });

/** Whether the host waits for a person or a client: a call of the last answer has no result yet. */
export function isWaiting(messages: readonly HostMessage[]): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const answered = new Set(
    messages
      .slice(at + 1)
      .flatMap(partsOf)
      .filter((part) => isType(part, 'tool-result'))
      .map((part) => fieldOf(part, 'toolCallId')),
  );
  return partsOf(messages[at]).some(
    (part) =>
      isType(part, 'tool-call') &&
      fieldOf(part, 'providerExecuted') !== true &&
      !answered.has(fieldOf(part, 'toolCallId')),
  );
}

/** Whether a person has approved the call: the request and its answer are both in the conversation. */
export function isApproved(messages: readonly unknown[], toolCallId: string): boolean {
  const parts = messages.flatMap((message) => partsOf(message as HostMessage));
  const asked = new Set(
    parts
      .filter((part) => isType(part, 'tool-approval-request') && fieldOf(part, 'toolCallId') === toolCallId)
      .map((part) => fieldOf(part, 'approvalId')),
  );
  return parts.some(
    (part) =>
      isType(part, 'tool-approval-response') &&
      asked.has(fieldOf(part, 'approvalId')) &&
      fieldOf(part, 'approved') === true,
  );
}
