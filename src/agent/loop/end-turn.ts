/** Fires the stop hooks when the agent wants to stop, and collects what the model reads next if one blocks it. */
import { remind } from '../../base/text/remind.js';
import type { HookOutcome, HookResult } from '../../runner/outcome.js';
import { type AddedText, addText } from '../transcript/added-text.js';
import type { Agent } from './agent.js';
import { feedbackOf, reasonOf, refusals, remindOfContext } from './reminders.js';
import { emitMessage, type Session } from './session.js';

export type Ending =
  | { readonly continues: false; readonly stopReason?: string | undefined; readonly halted: boolean }
  /** What the model reads next. */
  | { readonly continues: true; readonly texts: readonly AddedText[] };

/** `again`: a hook has already blocked a stop since the prompt. */
export async function askToStop(
  session: Session,
  agent: Agent,
  again: boolean,
  signal: AbortSignal,
): Promise<Ending> {
  const outcome = await fireStop(session, agent, again, signal);
  const objections = refusals(outcome.results);
  for (const result of objections) emitFeedback(session, agent, feedbackOf(outcome.event, result));
  if (outcome.continue === false) return { continues: false, halted: true, stopReason: outcome.stopReason };
  const context = remindOfContext(outcome.event, outcome.additionalContext);
  const wants = objections.length > 0 || context.length > 0 || outcome.continue === true;
  if (!wants || signal.aborted) return { continues: false, halted: false };
  const named = objections.filter(isAnswerOfCommand).map((result) => remindOfBlocker(outcome.event, result));
  const feedback = objections.map((result) => feedbackOf(outcome.event, result));
  const asked = objections.length === 0 && outcome.continue === true ? [continueText(outcome)] : [];
  return { continues: true, texts: [...context, ...[...named, ...feedback, ...asked].map(addText)] };
}

function fireStop(
  session: Session,
  agent: Agent,
  again: boolean,
  signal: AbortSignal,
): Promise<HookOutcome<'Stop'> | HookOutcome<'SubagentStop'>> {
  const own = {
    stop_hook_active: again,
    last_assistant_message: agent.lastText,
    background_tasks: session.background.list(),
    session_crons: [],
  };
  const { identity, transcript } = agent;
  if (identity === undefined) return session.hooks.fire('Stop', agent, own, { signal });
  return session.hooks.fire(
    'SubagentStop',
    agent,
    {
      ...own,
      agent_id: identity.id,
      agent_type: identity.type,
      agent_transcript_path: transcript?.path ?? '',
    },
    { signal },
  );
}

function emitFeedback(session: Session, agent: Agent, text: string): void {
  emitMessage(session, {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: agent.parentToolUseId,
    isSynthetic: true,
  });
}

/** A command that answers in JSON is not named in its reason; one that fails is. */
const isAnswerOfCommand = ({ exitCode }: HookResult): boolean => exitCode !== undefined && exitCode !== 2;

const remindOfBlocker = (event: string, result: HookResult): string =>
  remind(`${event} hook ${JSON.stringify(result.name)} does not let you stop: ${reasonOf(result)}`);

function continueText({ event, reason, results }: HookOutcome): string {
  const feedback = reason ?? results.find((result) => result.continue === true)?.reason;
  return `${event} hook feedback:\n${feedback ?? 'The work is not done yet. Continue.'}`;
}
