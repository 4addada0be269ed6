/** Answers the questions of MCP servers: by a hook, by a person, or with no. */
import { abortable } from '../../base/async/abortable.js';
import { messageOf } from '../../base/errors.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Elicitation, ElicitationAnswer } from '../tools/host.js';
import type { Agent } from './agent.js';
import { notify } from './notify.js';
import { emitMessage, type Session } from './session.js';

/** Asks a person. Return undefined to decline. */
export type OnElicitation = (
  elicitation: Elicitation,
  context: { readonly signal: AbortSignal },
) => ElicitationAnswer | undefined | Promise<ElicitationAnswer | undefined>;

const DECLINED: ElicitationAnswer = { action: 'decline' };

/** Never rejects: whatever fails, the question is declined. */
export async function answerElicitation(
  session: Session,
  agent: Agent,
  elicitation: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  try {
    const answer =
      (await askHooks(session, agent, elicitation, signal)) ??
      (await askPerson(session, agent, elicitation, signal));
    return await reviewAnswer(session, agent, elicitation, answer, signal);
  } catch (error) {
    const content = `A question of the MCP server ${elicitation.server} was declined: ${messageOf(error)}`;
    emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
    return DECLINED;
  }
}

async function askHooks(
  session: Session,
  agent: Agent,
  { server, message, mode, url, id, requestedSchema }: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationAnswer | undefined> {
  const outcome = await session.hooks.fire(
    'Elicitation',
    agent,
    {
      mcp_server_name: server,
      message,
      ...(mode !== undefined && { mode }),
      ...(url !== undefined && { url }),
      ...(id !== undefined && { elicitation_id: id }),
      ...(requestedSchema !== undefined && { requested_schema: requestedSchema }),
    },
    { signal },
  );
  return answerOf(outcome);
}

async function askPerson(
  session: Session,
  agent: Agent,
  elicitation: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const { onElicitation } = session.options;
  if (onElicitation === undefined) return DECLINED;
  notify(session, agent, 'elicitation_dialog', `${elicitation.server} asks: ${elicitation.message}`, signal);
  const answer = await abortable((async () => onElicitation(elicitation, { signal }))(), signal);
  if (answer === undefined) return DECLINED;
  if (!['accept', 'decline', 'cancel'].includes(answer.action))
    throw new Error('onElicitation returned no action: accept, decline or cancel');
  return answer;
}

async function reviewAnswer(
  session: Session,
  agent: Agent,
  { server, mode, id }: Elicitation,
  { action, content }: ElicitationAnswer,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const outcome = await session.hooks.fire(
    'ElicitationResult',
    agent,
    {
      mcp_server_name: server,
      action,
      ...(content !== undefined && { content: { ...content } }),
      ...(mode !== undefined && { mode }),
      ...(id !== undefined && { elicitation_id: id }),
    },
    { signal },
  );
  return answerOf(outcome) ?? { action, content };
}

/** A refusal declines. Of several answers, the first that does not accept counts, else the last. */
function answerOf(
  outcome: HookOutcome<'Elicitation'> | HookOutcome<'ElicitationResult'>,
): ElicitationAnswer | undefined {
  if (outcome.decision === 'deny' || outcome.continue === false || outcome.aborted) return DECLINED;
  const answers = outcome.hookSpecificOutputs.flatMap(({ action, content }) =>
    action === undefined ? [] : [{ action, content }],
  );
  return answers.find(({ action }) => action !== 'accept') ?? answers.at(-1);
}
