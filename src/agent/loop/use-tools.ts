/** Runs all tool calls of one answer, concurrently where allowed, and adds their results as one message. */
import { yieldIfBusy } from '../../base/async/yield.js';
import type { ContentBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../models/port.js';
import { scheduleCalls } from '../tools/schedule.js';
import { addText } from '../transcript/added-text.js';
import { type AfterBatch, afterBatch } from './after-batch.js';
import type { Agent } from './agent.js';
import type { CutCall } from './cut-answers.js';
import { admitNotices } from './notices.js';
import type { Session, StopRequest } from './session.js';
import { reject, shownIn, type UsedTool } from './tool-result.js';
import { useTool } from './use-tool.js';

/** Returns a stop request if one of the calls ended the turn. */
export async function useTools(
  session: Session,
  agent: Agent,
  uses: readonly ToolUseBlock[],
  signal: AbortSignal,
  cut?: CutCall,
): Promise<StopRequest | undefined> {
  let ended = false;
  const used = await scheduleCalls(
    uses.map((use) => ({
      concurrent: agent.findTool(use.name)?.concurrent ?? false,
      run: async () => {
        await yieldIfBusy();
        if (ended || signal.aborted) return skippedCall(use);
        if (cut?.use.id === use.id) return reject(session, agent, use, cut.why);
        const one = await useTool(session, agent, use, signal);
        if (one.halt !== undefined) ended = true;
        return one;
      },
    })),
  );
  // If several calls ended the turn, the first in call order wins.
  const ownHalt = used.find((one) => one.halt !== undefined)?.halt;
  const goesOn = (): boolean => !signal.aborted && ownHalt === undefined;
  const batch: AfterBatch = goesOn()
    ? await afterBatch(session, agent, uses, used, signal)
    : { reminders: [] };
  const mayAdmit = goesOn() && batch.halt === undefined;
  const notices = mayAdmit ? await admitNotices(session, agent, signal) : { texts: [] };
  const texts = [
    ...used.flatMap(({ reminders }) => reminders),
    ...batch.reminders,
    ...session.hooks.takeLate(agent).map(addText),
    ...used.flatMap(({ injections }) => contents(session, injections, 'user_message')).map(addText),
    ...notices.texts,
  ];
  agent.appendUserMessage([...used.map((one) => toBlock(session, one)), ...texts], {
    promptId: session.promptId,
    toolUseResults: Object.fromEntries(used.map(({ block, response }) => [block.tool_use_id, response])),
  });
  return ownHalt ?? batch.halt ?? notices.halt;
}

/** For calls that were not run because the turn ended. */
function skippedCall(use: ToolUseBlock): UsedTool {
  const content = `${use.name} was not run: the run ended before it.`;
  return {
    block: { type: 'tool_result', tool_use_id: use.id, content, is_error: true },
    reminders: [],
    injections: [],
  };
}

/** Appends what hooks inject into the result. */
function toBlock(session: Session, { block, injections }: UsedTool): ToolResultBlock {
  const added = contents(session, injections, 'tool_result');
  if (added.length === 0) return block;
  const { content } = block;
  // Services reject empty texts.
  const own = typeof content !== 'string' ? content : content === '' ? [] : [toText(content)];
  return { ...block, content: [...own, ...added.map(toText)] };
}

const contents = (
  session: Session,
  injections: UsedTool['injections'],
  wanted: 'tool_result' | 'user_message',
): readonly string[] => injections.filter(({ strategy }) => strategy === wanted).map(shownIn(session));

const toText = (text: string): TextBlock => ({ type: 'text', text });

/** Adds a result to every open call, so that the conversation can continue later. */
export function closeOpenCalls(agent: Agent, why: string): void {
  const open = agent.openCalls();
  if (open.length === 0) return;
  const content: ContentBlock[] = open.map((use) => ({
    type: 'tool_result',
    tool_use_id: use.id,
    content: `${use.name} has no result: ${why}`,
    is_error: true,
  }));
  agent.appendUserMessage(content);
}
