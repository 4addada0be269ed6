/** Reads and extends the items of a conversation. */
import { fieldOf } from '../tool-content.js';
import type { HostItem } from './host.js';

export const userItem = (content: string): HostItem => ({ role: 'user', content });

const partsOf = ({ content }: HostItem): readonly unknown[] => (Array.isArray(content) ? content : []);

/** What a person wrote. */
export function textOfItem(item: HostItem): string {
  if (typeof item.content === 'string') return item.content;
  return partsOf(item)
    .map((part) => fieldOf(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** The message of a user with texts behind it, which stay in the conversation with it. */
export function withTexts(item: HostItem, texts: readonly string[]): HostItem {
  if (texts.length === 0) return item;
  const own = typeof item.content === 'string' ? [inputText(item.content)] : partsOf(item);
  return { ...item, content: [...own, ...texts.map(inputText)] };
}

const inputText = (text: string) => ({ type: 'input_text', text });

/**
 * Items that are added in the middle of a run. The host does not keep what a filter adds to a request, so they are added
 * to every later request of the run, and to its history, at the same place.
 */
export class Inserted {
  readonly #items: { readonly at: number; readonly item: HostItem }[] = [];

  /** Behind everything that the host has now. */
  add(hostItems: readonly unknown[], item: HostItem): void {
    this.#items.push({ at: hostItems.length, item });
  }

  apply(hostItems: readonly HostItem[]): HostItem[] {
    const result: HostItem[] = [];
    let next = 0;
    for (const { at, item } of this.#items) {
      result.push(...hostItems.slice(next, at), item);
      next = Math.max(next, at);
    }
    return [...result, ...hostItems.slice(next)];
  }
}
