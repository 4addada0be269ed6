/** Asks the model for a summary of a conversation: of the whole, or part by part if it is too long for one request. */
import { type ContentBlock, ModelError, type ModelMessage, type TextBlock } from '../models/port.js';
import { capText } from '../tools/cap-content.js';
import type { Agent } from './agent.js';
import { offered } from './call-model.js';
import { windowOf } from './context-window.js';
import { estimateMessages } from './estimate-tokens.js';
import { prepareCall, streamAnswer } from './model-call.js';
import type { Session } from './session.js';
import { countUsage } from './spending.js';

/** The share of the context window that the conversation may take up in one request for a summary. */
const WHOLE_SHARE = 0.85;
/** The share of a part. Smaller, because it is sent as text, whose length is only estimated. */
const PART_SHARE = 0.4;
/** If a part is too long all the same, it is made smaller this often. */
const MAX_HALVINGS = 4;

/** Throws as a request to the model does. */
export async function summarise(
  session: Session,
  agent: Agent,
  instructions: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const request = [SUMMARY_REQUEST, ...instructions.map((each) => `Additional instructions: ${each}`)].join(
    '\n\n',
  );
  const window = windowOf(session, agent);
  if (estimateMessages(agent.messages) * agent.tokensPerEstimate < WHOLE_SHARE * window) {
    try {
      return await ask(session, agent, withRequest(agent.messages, { type: 'text', text: request }), signal);
    } catch (error) {
      if (!(error instanceof ModelError && error.code === 'context_overflow')) throw error;
    }
  }
  return inParts(session, agent, request, window, signal);
}

async function inParts(
  session: Session,
  agent: Agent,
  request: string,
  window: number,
  signal: AbortSignal,
): Promise<string> {
  // Four characters are about one token.
  let length = Math.max(2000, Math.floor(PART_SHARE * window * 4));
  for (let halved = 0; ; halved++) {
    try {
      return await eachPart(session, agent, request, partsOf(agent.messages, length), signal);
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.code === 'context_overflow';
      if (!isTooLong || halved >= MAX_HALVINGS) throw error;
      length = Math.floor(length / 2);
    }
  }
}

/** Each summary covers the one before it, so the last covers all. */
async function eachPart(
  session: Session,
  agent: Agent,
  request: string,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  let summary = '';
  for (const [i, part] of parts.entries()) {
    const before = summary === '' ? '' : `\n\n<summary-so-far>\n${summary}\n</summary-so-far>`;
    const text = `This is part ${i + 1} of ${parts.length} of a conversation, as text.${before}\n\n<conversation>\n${part}\n</conversation>\n\n${request}${before === '' ? '' : '\n\nYour summary replaces the one so far, so it has to cover it too.'}`;
    summary = await ask(session, agent, [{ role: 'user', content: [{ type: 'text', text }] }], signal);
  }
  return summary;
}

/** The conversation as text, in parts of at most this many characters. A longer message is cut in its middle. */
function partsOf(messages: readonly ModelMessage[], length: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const { role, content } of messages) {
    const text = capText(`${role}: ${content.map(asText).join('\n')}`, Math.floor(length * 0.9));
    if (part !== '' && part.length + text.length > length) {
      parts.push(part);
      part = '';
    }
    part += `${part === '' ? '' : '\n\n'}${text}`;
  }
  return [...parts, part];
}

/** Thinking is left out: it led to what follows it. */
function asText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `[calls ${block.name}: ${JSON.stringify(block.input)}]`;
    case 'tool_result': {
      const { content } = block;
      const text =
        typeof content === 'string'
          ? content
          : content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n');
      return `[result${block.is_error === true ? ', an error' : ''}: ${capText(text, 4000)}]`;
    }
    case 'image':
    case 'document':
      return `[${block.type}]`;
    default:
      return '';
  }
}

async function ask(
  session: Session,
  agent: Agent,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<string> {
  let summary = '';
  const call = await prepareCall(session, agent, agent.model, {
    system: agent.system,
    messages,
    tools: offered(session, agent),
    purpose: 'summary',
    signal,
  });
  for await (const event of streamAnswer(session, agent, call)) {
    if (event.type === 'text') summary += event.text;
    if (event.type === 'end') countUsage(session, call.model.name, event.usage);
  }
  signal.throwIfAborted();
  const marked = /<summary>([\s\S]*?)<\/summary>/.exec(summary)?.[1];
  const found = (marked ?? summary).trim();
  if (found === '')
    throw new ModelError('broken_stream', 'The model gave no summary, so the conversation stays as it is.');
  return found;
}

/** Appends the request to the last message if that is the user's: model services require alternating roles. */
function withRequest(messages: readonly ModelMessage[], request: TextBlock): readonly ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [request] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, request] }];
}

const SUMMARY_REQUEST = `Do not use any tool now. Write a summary of this conversation, from which the work can continue without the conversation itself: everything before it will be removed. The reader knows only what the summary says, so be exact rather than short.

Cover, in this order:
1. What the user wants: every request and every preference about how to do it, in the user's own words where they matter, and everything that was refused or ruled out.
2. What is known by now: files and places that were examined, with their paths, the names, values and commands that will be needed again, and what they mean for the task.
3. What was done: each change, where, why, and how it was checked, with the result of the check.
4. What went wrong and how it was solved, so that nothing is tried twice.
5. What was in progress, and the next step.
6. What remains to be done, and what to ask the user, if anything.

Leave out greetings, praise and everything that does not matter for the remaining work. Put the summary between <summary> and </summary> and write nothing after it.`;
