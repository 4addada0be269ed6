/** Sends one request to the model and adds the answer to the conversation. */
import { cutAt } from '../../base/text/cut-text.js';
import type { Lease } from '../../injection/port.js';
import {
  type ContentBlock,
  ModelError,
  type ModelEvent,
  type ModelTool,
  type StopReason,
  type ToolUseBlock,
} from '../models/port.js';
import { isUnparsedInput, UNPARSED_INPUT } from '../models/tool-input.js';
import type { Agent } from './agent.js';
import { learnFromUsage } from './context-window.js';
import { endLease, itemsAsText, placeItems } from './deliver-items.js';
import { Display } from './display.js';
import { keepPartialAnswer } from './interrupted.js';
import { prepareCall, streamAnswer } from './model-call.js';
import { recordAnswer } from './record-answer.js';
import type { Session } from './session.js';
import { countUsage } from './spending.js';

type TextEvent = Extract<ModelEvent, { type: 'text' }>;

export interface Answer {
  readonly text: string;
  readonly toolUses: readonly ToolUseBlock[];
  readonly stopReason: StopReason;
  readonly outputTokens: number;
  /** The call in the middle of which the answer was cut off. */
  readonly cutCall?: ToolUseBlock | undefined;
}

/** Throws a `ModelError` if there is no answer, or the signal's reason if it was aborted. */
export async function callModel(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
  delivery?: Lease,
): Promise<Answer> {
  const startedAt = performance.now();
  agent.takeNotes();
  if (agent === session.main) session.tally.turns += 1;
  const blocks: ContentBlock[] = [];
  let accepted = false;
  let answer: Answer | undefined;
  let model = agent.model.name;
  const display = new Display(session, agent, signal);
  try {
    // Copied, because the conversation grows while the model may still read the request.
    const messages = delivery === undefined ? [...agent.messages] : placeItems(agent.messages, delivery);
    const call = await prepareCall(session, agent, agent.model, {
      system: agent.system,
      messages,
      tools: offered(session, agent),
      purpose: 'turn',
      ...(agent.maxTokens !== undefined && { maxTokens: agent.maxTokens }),
      signal,
    });
    model = call.model.name;
    for await (const event of streamAnswer(session, agent, call)) {
      // A first event means that the service has received the whole request.
      if (!accepted) {
        accepted = true;
        if (delivery !== undefined) agent.keepSent(messages, itemsAsText(delivery));
        await endLease(session, delivery, 'acknowledge', signal);
      }
      signal.throwIfAborted();
      if (event.type === 'text') await display.text(addText(blocks, event), event.text);
      else if (event.type === 'thinking_delta')
        // At the place that the whole block will have.
        display.piece(blocks.length, { type: 'thinking_delta', thinking: event.thinking });
      else if (event.type === 'end') answer = await conclude(session, agent, model, blocks, event, display);
      else blocks.push(event.type === 'tool_use' ? agent.claimCall(event) : event);
    }
  } catch (error) {
    if (signal.aborted && answer === undefined) keepPartialAnswer(session, agent, model, blocks);
    throw error;
  } finally {
    if (!accepted) await endLease(session, delivery, 'release', signal);
    session.tally.modelMs += performance.now() - startedAt;
  }
  signal.throwIfAborted();
  if (answer === undefined)
    throw new ModelError(
      'broken_stream',
      `The model ${agent.model.name} ended its stream without an end event.`,
    );
  return answer;
}

/** The tools offered to the model. Tools that a rule denies entirely are left out. */
export function offered(session: Session, agent: Agent): readonly ModelTool[] {
  return agent.tools
    .filter((tool) => !session.permissions.hides(tool.name, tool.aliases))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** Returns the place of the block that the text belongs to. */
function addText(blocks: ContentBlock[], { text, phase }: TextEvent): number {
  const last = blocks.at(-1);
  if (last?.type === 'text' && last.phase === phase)
    blocks[blocks.length - 1] = { ...last, text: last.text + text };
  else blocks.push({ type: 'text', text, ...(phase !== undefined && { phase }) });
  return blocks.length - 1;
}

/** Counts the answer, adds it to the conversation and emits it. */
async function conclude(
  session: Session,
  agent: Agent,
  model: string,
  said: readonly ContentBlock[],
  { stopReason, usage }: Extract<ModelEvent, { type: 'end' }>,
  display: Display,
): Promise<Answer> {
  session.lastAnswerAt = Date.now();
  countUsage(session, model, usage);
  learnFromUsage(agent, usage);
  const { blocks, cutCall } = complete(said, stopReason);
  const text = textOf(blocks);
  const shown = await display.end(blocks);
  agent.shownText = shown === blocks ? undefined : textOf(shown);
  agent.lastText = agent.isCut ? agent.lastText + text : text;
  recordAnswer(session, agent, { model, content: blocks, stopReason, usage }, shown);
  const toolUses = blocks.filter((block) => block.type === 'tool_use');
  return { text, toolUses, stopReason, outputTokens: usage.outputTokens, cutCall };
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** What remains of the input of a call that was cut off: enough to see which one it was. */
const CUT_INPUT = 500;

/** Calls of an answer that was refused are dropped. The input of a call that was cut off is not JSON, or empty. */
function complete(
  said: readonly ContentBlock[],
  stopReason: StopReason,
): { readonly blocks: readonly ContentBlock[]; readonly cutCall?: ToolUseBlock } {
  if (stopReason === 'refusal') return { blocks: said.filter(({ type }) => type !== 'tool_use') };
  const isCut = stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
  const last = said.at(-1);
  if (!isCut || last?.type !== 'tool_use' || !isIncomplete(last.input)) return { blocks: said };
  const [text] = Object.values(Object(last.input));
  const cutCall =
    typeof text === 'string' && text.length > CUT_INPUT
      ? { ...last, input: { [UNPARSED_INPUT]: `${cutAt(text, CUT_INPUT)}…` } }
      : last;
  return { blocks: [...said.slice(0, -1), cutCall], cutCall };
}

const isIncomplete = (input: unknown): boolean =>
  isUnparsedInput(input) || Object.keys(Object(input)).length === 0;
