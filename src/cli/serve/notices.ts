/** Shows texts of the command line on the page as well: a run that emits them and ends, because a page follows runs. */
import { randomUUID } from 'node:crypto';
import type { Run } from '../../agent/loop/agent-loop.js';
import type { ResultMessage } from '../../agent/loop/messages.js';

export async function* noticesOf(texts: readonly string[], level: 'info' | 'warning' = 'warning'): Run {
  for (const content of texts) {
    yield {
      type: 'system',
      subtype: 'informational',
      level,
      content,
      uuid: randomUUID(),
      session_id: '',
    };
  }
  // There is no result, because there was no prompt; the page does not read it.
  return undefined as unknown as ResultMessage;
}
