/** Fires PostToolBatch once for all calls of an answer, before the model reads their results. */

import type { ToolUseBlock } from '../models/port.js';
import type { AddedText } from '../transcript/added-text.js';
import type { Agent } from './agent.js';
import { reasonOf, refusals, remindOfContext } from './reminders.js';
import type { Session, StopRequest } from './session.js';
import { stopRequestOf, type UsedTool } from './tool-result.js';

/** What the hooks of a batch say. */
export interface AfterBatch {
  /** For the model, next to the results. */
  readonly reminders: readonly AddedText[];
  /** A refusal ends the turn, as `continue: false` does. */
  readonly halt?: StopRequest | undefined;
}

/** Contract: `used` has one entry for each of `uses`, in the same order. */
export async function afterBatch(
  session: Session,
  agent: Agent,
  uses: readonly ToolUseBlock[],
  used: readonly UsedTool[],
  signal: AbortSignal,
): Promise<AfterBatch> {
  const outcome = await session.hooks.fire(
    'PostToolBatch',
    agent,
    {
      tool_calls: uses.map(({ id, name, input }, i) => ({
        tool_name: used[i]?.tool ?? name,
        tool_input: used[i]?.input ?? input,
        tool_use_id: id,
        tool_response: textOf(used[i]?.block.content ?? ''),
      })),
    },
    { signal },
  );
  const [refusal] = refusals(outcome.results);
  const halt =
    refusal === undefined
      ? stopRequestOf(outcome)
      : ({ reason: 'hook_stopped', stopReason: reasonOf(refusal) } as const);
  return { reminders: remindOfContext(outcome.event, outcome.additionalContext), halt };
}

/** The result as the model reads it; pictures are only named. */
function textOf(content: UsedTool['block']['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => ('text' in block ? block.text : `[${block.type}]`)).join('\n');
}
