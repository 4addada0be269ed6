/** The beginning of a run in a host that is given the whole conversation: the prompt, and what hooks say to it. */
import { HookError, show } from '../../base/errors.js';
import type { RunEnding } from './run-turns.js';
import type { HookSession } from './session.js';

interface Said {
  readonly role?: string;
}

/** How a host writes the message of a person. */
export interface PromptForm<Message extends Said> {
  make(text: string): Message;
  textOf(message: Message): string;
  /** The message with texts behind it, which stay in the conversation with it. */
  withTexts(message: Message, texts: readonly string[]): Message;
}

/** The conversation to run. A prompt that hooks have blocked is not in it. */
export interface BegunRun<Message> {
  readonly messages: Message[];
  readonly blocked?: Extract<RunEnding, { reason: string }>;
}

/**
 * Fires UserPromptSubmit. `prompt` continues the conversation so far if it is a text; a list is a conversation of its own,
 * and has to end with the message of a person. Rejects with a `HookError` if it does not, or with the reason of an abort.
 */
export async function beginRun<Message extends Said>(
  session: HookSession,
  form: PromptForm<Message>,
  prompt: string | readonly unknown[],
  { soFar, signal }: { soFar: readonly Message[]; signal?: AbortSignal | undefined },
): Promise<BegunRun<Message>> {
  const given = typeof prompt === 'string' ? [...soFar, form.make(prompt)] : (prompt as readonly Message[]);
  const last = given.at(-1);
  if (last?.role !== 'user')
    throw new HookError(
      'invalid_input',
      `The last message is ${show(last?.role)}; end with the message of a user, or call \`resume\`.`,
    );
  const before = given.slice(0, -1);
  const said = await session.prompt(form.textOf(last), { signal });
  if (said.blocked) return { messages: before, blocked: { status: 'blocked', reason: said.reason } };
  return { messages: [...before, form.withTexts(last, said.texts)] };
}
