/** One request to the model, from the conversation as it is to an answer that is part of it. */
import { randomUUID } from 'node:crypto';
import type { Lease } from '../../injection/port.js';
import {
  type ContentBlock,
  ModelError,
  type ModelTool,
  type StopReason,
  type ToolUseBlock,
} from '../models/port.js';
import type { Agent } from './agent.js';
import { endLease, itemsAsText, placeItems } from './deliver-items.js';
import { modelEvents } from './model-events.js';
import { emitMessage, type Session } from './session.js';

export interface Answer {
  readonly text: string;
  readonly toolUses: readonly ToolUseBlock[];
  readonly stopReason: StopReason;
}

/** Throws a `ModelError` when there is no answer, and the signal's reason when it was aborted. */
export async function callModel(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
  delivery?: Lease,
): Promise<Answer> {
  const startedAt = performance.now();
  const once = agent.nextSystem;
  const system = [agent.system, ...once].join('\n\n');
  agent.nextSystem = [];
  if (agent === session.main) session.tally.turns += 1;
  const blocks: ContentBlock[] = [];
  let accepted = false;
  let answer: Answer | undefined;
  try {
    // A copy: the conversation grows while a model may still look at what it was sent.
    const messages = delivery === undefined ? [...agent.messages] : placeItems(agent.messages, delivery);
    const events = modelEvents(agent.model, {
      system,
      messages,
      tools: offered(session, agent),
      purpose: 'turn',
      signal,
    });
    for await (const event of events) {
      // Something came back, so the model has been sent everything.
      if (!accepted) {
        accepted = true;
        if (delivery !== undefined) agent.keepSent(messages, itemsAsText(delivery));
        await endLease(session, delivery, 'acknowledge', signal);
      }
      signal.throwIfAborted();
      if (event.type === 'text') addText(session, agent, blocks, event.text);
      else if (event.type === 'tool_use') blocks.push(event);
      else answer = conclude(session, agent, blocks, event);
    }
  } finally {
    if (!accepted) {
      agent.nextSystem = [...once, ...agent.nextSystem];
      await endLease(session, delivery, 'release', signal);
    }
    session.tally.modelMs += performance.now() - startedAt;
  }
  signal.throwIfAborted();
  if (answer === undefined)
    throw new ModelError('broken_stream', `The model ${agent.model.name} ended its answer without an end.`);
  return answer;
}

/** Tools that a rule forbids altogether are not even offered. */
export function offered(session: Session, agent: Agent): readonly ModelTool[] {
  return agent.tools
    .filter((tool) => !session.permissions.hides(tool.name, tool.aliases))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

function addText(session: Session, agent: Agent, blocks: ContentBlock[], text: string): void {
  const last = blocks.at(-1);
  if (last?.type === 'text') blocks[blocks.length - 1] = { type: 'text', text: last.text + text };
  else blocks.push({ type: 'text', text });
  if (session.options.includePartialMessages !== true) return;
  emitMessage(session, {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: blocks.length - 1, delta: { type: 'text_delta', text } },
    parent_tool_use_id: agent.parentToolUseId,
  });
}

/** The answer becomes part of the conversation, and everybody sees it. An empty one leaves no message: none may be empty. */
function conclude(
  session: Session,
  agent: Agent,
  blocks: readonly ContentBlock[],
  {
    stopReason,
    usage: { inputTokens, outputTokens },
  }: { stopReason: StopReason; usage: { inputTokens: number; outputTokens: number } },
): Answer {
  session.tally.inputTokens += inputTokens;
  session.tally.outputTokens += outputTokens;
  agent.contextTokens = inputTokens + outputTokens;
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  agent.lastText = text;
  if (blocks.length > 0) {
    const id = `msg_${randomUUID().replaceAll('-', '')}`;
    agent.answer(blocks, { id, stopReason, usage: { inputTokens, outputTokens } });
    emitMessage(session, {
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: agent.model.name,
        content: blocks,
        stop_reason: stopReason,
        usage: { input_tokens: inputTokens, output_tokens: outputTokens },
      },
      parent_tool_use_id: agent.parentToolUseId,
    });
  }
  return { text, toolUses: blocks.filter((block) => block.type === 'tool_use'), stopReason };
}
