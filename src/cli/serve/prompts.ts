/** The prompts of `hookline serve`: the one that is given, then what people say while the agent has nothing to do. */

import type { EndReason, LoopMessage, ResultMessage } from '../../agent/loop/messages.js';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import type { MemoryMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import type { InjectionItem, Lease } from '../../injection/port.js';

export interface ServedPrompt {
  readonly text: string;
  /** Told of everything that the run on it says: what is said first by a model shows that the words were sent. */
  heard(message: LoopMessage): Promise<void>;
  /** Told how the run ended. Words that no model was sent have failed. */
  ended(result: ResultMessage): Promise<void>;
}

/** Ends when the signal does. Asks for the next one only when the last one has been worked on. */
export async function* promptsOf(
  given: string | undefined,
  mailbox: MemoryMailbox,
  signal: AbortSignal,
): AsyncGenerator<ServedPrompt, void> {
  if (given !== undefined) yield { text: given, heard: async () => {}, ended: async () => {} };
  while (!signal.aborted) {
    const said = await nextSaid(mailbox, signal);
    if (said !== undefined) yield said;
  }
}

/** Undefined when the signal came first. */
async function nextSaid(mailbox: MemoryMailbox, signal: AbortSignal): Promise<ServedPrompt | undefined> {
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
      if (item !== undefined) return toPrompt(item, lease, mailbox);
      if (!signal.aborted) await changed;
    }
    return undefined;
  } finally {
    stop();
    signal.removeEventListener('abort', abort);
  }
}

function toPrompt({ id, content }: InjectionItem, lease: Lease, mailbox: MemoryMailbox): ServedPrompt {
  let wasSent = false;
  const sent = async (): Promise<void> => {
    wasSent = true;
    await lease.acknowledge();
  };
  return {
    text: content,
    heard: async ({ type }) => {
      if (!wasSent && (type === 'assistant' || type === 'stream_event')) await sent();
    },
    ended: async (result) => {
      if (wasSent) return;
      if (!result.is_error && !KEPT_BACK.has(result.terminal_reason)) return sent();
      // Released and withdrawn in one go: nobody is to take it in between.
      const released = lease.release();
      mailbox.withdraw(id, result.errors?.[0] ?? result.result);
      await released;
    },
  };
}

/** A hook kept the words from the model. */
const KEPT_BACK: ReadonlySet<EndReason> = new Set(['prompt_blocked', 'hook_stopped', 'compaction_blocked']);
