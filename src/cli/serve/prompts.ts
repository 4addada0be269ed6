/** The prompts of `hookline serve`: the one given on the command line, then messages sent while the agent is idle. */

import type { EndReason, LoopMessage, ResultMessage } from '../../agent/loop/messages.js';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import type { MemoryMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import type { InjectionItem, Lease } from '../../injection/port.js';

export interface ServedPrompt {
  readonly text: string;
  /** Called with every message of the run. The first message of the model shows that the prompt was sent. */
  onMessage(message: LoopMessage): Promise<void>;
  /** Called with the result of the run. A prompt that was never sent to a model has failed. */
  onEnd(result: ResultMessage): Promise<void>;
}

/** Ends when the signal aborts. Takes the next message only after the previous prompt is done. */
export async function* promptsOf(
  given: string | undefined,
  mailbox: MemoryMailbox,
  signal: AbortSignal,
): AsyncGenerator<ServedPrompt, void> {
  if (given !== undefined) yield { text: given, onMessage: async () => {}, onEnd: async () => {} };
  while (!signal.aborted) {
    const next = await nextMessage(mailbox, signal);
    if (next !== undefined) yield next;
  }
}

/** Undefined if the signal aborts first. */
async function nextMessage(mailbox: MemoryMailbox, signal: AbortSignal): Promise<ServedPrompt | undefined> {
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
    onMessage: async ({ type }) => {
      if (!wasSent && (type === 'assistant' || type === 'stream_event')) await sent();
    },
    onEnd: async (result) => {
      if (wasSent) return;
      if (!result.is_error && !BLOCKED_REASONS.has(result.terminal_reason)) return sent();
      // Released and withdrawn in one step, so that no one else takes the item in between.
      const released = lease.release();
      mailbox.withdraw(id, result.errors?.[0] ?? result.result);
      await released;
    },
  };
}

/** A hook kept the prompt from the model. */
const BLOCKED_REASONS: ReadonlySet<EndReason> = new Set([
  'prompt_blocked',
  'hook_stopped',
  'compaction_blocked',
]);
