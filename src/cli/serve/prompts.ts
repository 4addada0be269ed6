/** The prompts of `hookline serve`: the one that is given, then what people say while the agent has nothing to do. */
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import type { Mailbox } from '../../injection/port.js';

/** Ends when the signal does. Asks for the next one only when the last one has been worked on. */
export async function* promptsOf(
  given: string | undefined,
  mailbox: Mailbox,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  if (given !== undefined) yield given;
  while (!signal.aborted) {
    const said = await nextSaid(mailbox, signal);
    if (said !== undefined) yield said;
  }
}

/** Undefined when the signal came first. */
async function nextSaid(mailbox: Mailbox, signal: AbortSignal): Promise<string | undefined> {
  let wake = (): void => {};
  const stop = mailbox.onChange(() => wake());
  const abort = (): void => wake();
  signal.addEventListener('abort', abort);
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const lease = await mailbox.take({ agentId: MAIN_AGENT, limit: 1 });
      const [item] = lease.items;
      if (item !== undefined) {
        // A prompt is part of the conversation from here on.
        await lease.acknowledge();
        return item.content;
      }
      if (!signal.aborted) await changed;
    }
    return undefined;
  } finally {
    stop();
    signal.removeEventListener('abort', abort);
  }
}
