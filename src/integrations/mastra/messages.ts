/** Reads and extends the host's messages: those of the AI SDK, and those that the host stores. */
import { fieldOf, textOf as textOfParts } from '../tool-content.js';
import type { HostMessage } from './host.js';

export const userMessage = (content: string): HostMessage => ({ role: 'user', content });

const textPart = (text: string) => ({ type: 'text', text });

/** The parts of a message; stored messages have them one level deeper. */
function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [textPart(content)];
  const parts = Array.isArray(content) ? content : fieldOf(content, 'parts');
  return Array.isArray(parts) ? parts : [];
}

/** What a person wrote. */
export const textOf = ({ content }: HostMessage): string => textOfParts(partsOf(content));

/** The message of a user with texts behind it, which stay in the conversation with it. */
export function withTexts(message: HostMessage, texts: readonly string[]): HostMessage {
  if (texts.length === 0) return message;
  const { content } = message;
  const parts = [...partsOf(content), ...texts.map(textPart)];
  const isStored = Array.isArray(fieldOf(content, 'parts'));
  return { ...message, content: isStored ? { ...(content as object), parts } : parts };
}
