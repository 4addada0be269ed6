/** Shows the warnings printed at the terminal on the page as well. */
import { randomUUID } from 'node:crypto';
import type { Run } from '../../agent/loop/agent-loop.js';
import type { ResultMessage } from '../../agent/loop/messages.js';

/** A run that emits the texts and ends, because a page follows runs. */
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
  // There is no result, because there was no prompt; the page does not read it.
  return undefined as unknown as ResultMessage;
}
