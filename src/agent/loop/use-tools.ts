/** All tools of one answer: those that may, side by side; their results in one message, with what is told beside them. */
import type { ContentBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../models/port.js';
import { scheduleCalls } from '../tools/schedule.js';
import type { Agent } from './agent.js';
import { admitNotices } from './notices.js';
import type { Session, StopRequest } from './session.js';
import type { UsedTool } from './tool-result.js';
import { useTool } from './use-tool.js';

/** Returns why the turn ends, if one of the calls ended it. */
export async function useTools(
  session: Session,
  agent: Agent,
  uses: readonly ToolUseBlock[],
  signal: AbortSignal,
): Promise<StopRequest | undefined> {
  let ended = false;
  const used = await scheduleCalls(
    uses.map((use) => ({
      concurrent: agent.findTool(use.name)?.concurrent ?? false,
      run: async () => {
        if (ended || signal.aborted) return leftOut(use);
        const one = await useTool(session, agent, use, signal);
        if (one.halt !== undefined) ended = true;
        return one;
      },
    })),
  );
  // Of several, the first in the order of the calls, whichever came first.
  const ownHalt = used.find((one) => one.halt !== undefined)?.halt;
  const mayAdmit = !signal.aborted && ownHalt === undefined;
  const notices = mayAdmit ? await admitNotices(session, agent, signal) : { texts: [] };
  const texts = [
    ...used.flatMap(({ reminders }) => reminders),
    ...session.hooks.takeLate(agent),
    ...used.flatMap(({ injections }) => contents(injections, 'user_message')),
    ...notices.texts,
  ];
  agent.appendUserMessage([...used.map(toBlock), ...texts.map(toText)], {
    promptId: session.promptId,
    // A line has one result of its own.
    ...(used.length === 1 && { toolUseResult: used[0]?.response }),
  });
  return ownHalt ?? notices.halt;
}

/** The turn ended before this call's turn came. */
function leftOut(use: ToolUseBlock): UsedTool {
  const content = `${use.name} was not run: the run ended before it.`;
  return {
    block: { type: 'tool_result', tool_use_id: use.id, content, is_error: true },
    reminders: [],
    injections: [],
  };
}

/** What hooks want to be read as part of the result stands behind it. */
function toBlock({ block, injections }: UsedTool): ToolResultBlock {
  const added = contents(injections, 'tool_result');
  if (added.length === 0) return block;
  const { content } = block;
  // Services refuse texts that are empty.
  const own = typeof content !== 'string' ? content : content === '' ? [] : [toText(content)];
  return { ...block, content: [...own, ...added.map(toText)] };
}

const contents = (
  injections: UsedTool['injections'],
  wanted: 'tool_result' | 'user_message',
): readonly string[] => injections.flatMap(({ strategy, content }) => (strategy === wanted ? [content] : []));

const toText = (text: string): TextBlock => ({ type: 'text', text });

/** Answers calls that will never get a result, so that the conversation can go on some day. */
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
