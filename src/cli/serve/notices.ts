/** What whoever started the page reads at the terminal, for those who only see the page. */
import { randomUUID } from 'node:crypto';
import type { Run } from '../../agent/loop/agent-loop.js';
import type { ResultMessage } from '../../agent/loop/messages.js';

/** In the shape of a run, because that is what a page is told by: it says its texts and ends. */
export async function* noticesOf(texts: readonly string[]): Run {
  for (const content of texts) {
    yield {
      type: 'system',
      subtype: 'informational',
      level: 'warning',
      content,
      uuid: randomUUID(),
      session_id: '',
    };
  }
  // Nothing was asked, so there is no result; nobody reads it where a page reads alone.
  return undefined as unknown as ResultMessage;
}
