/** Implements `ToolHost` for tools that act on the agent itself: tasks, other agents, the team. */
import { createBackgroundToolComplete } from '../../injection/hooks/background-tool-complete.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { EndedJob, TeamMessage, ToolHost } from '../tools/host.js';
import type { Task } from '../tools/task-list.js';
import type { ToolOutcome } from '../tools/tool.js';
import type { Agent } from './agent.js';
import { mailboxName } from './deliver-items.js';
import { answerElicitation } from './elicitation.js';
import { LEAD } from './options.js';
import { feedbackOf, refusals } from './reminders.js';
import { emitMessage, type Session, type StopRequest } from './session.js';
import { stopRequestOf } from './tool-result.js';

/** `onStopRequest` is called if a hook ends the turn; the turn ends after the tool has its result. */
export function hostFor(
  session: Session,
  agent: Agent,
  onStopRequest: (halt: StopRequest) => void,
): ToolHost {
  const fields = ({ id, subject, description }: Task) => ({
    task_id: id,
    task_subject: subject,
    task_description: description,
    ...memberOf(session, agent),
  });
  const judge = (outcome: HookOutcome, otherwise: string): { readonly feedback: string } | undefined => {
    const halt = stopRequestOf(outcome);
    if (halt !== undefined) onStopRequest(halt);
    const objections = refusals(outcome.results);
    if (objections.length > 0)
      return { feedback: objections.map((result) => feedbackOf(outcome.event, result)).join('\n') };
    if (halt === undefined && !outcome.aborted) return undefined;
    return { feedback: `${outcome.event} hook feedback:\n${outcome.stopReason ?? otherwise}` };
  };
  return {
    startAgent: (request, context) => session.startAgent(session, agent, request, context, onStopRequest),
    sendMessage: async (message) => sendMessage(session, agent, message),
    useSkill: (name) => void session.activeSkills.add(name),
    keep: (key, make) => session.parts.keep(key, make),
    elicit: (elicitation, signal) => answerElicitation(session, agent, elicitation, signal),
    reportJob: (job) => reportJob(session, agent, job),
    afterTaskCreated: async (task, { signal }) =>
      judge(
        await session.hooks.fire('TaskCreated', agent, fields(task), { signal }),
        'The task is not created.',
      ),
    beforeTaskCompleted: async (task, { signal }) =>
      judge(
        await session.hooks.fire('TaskCompleted', agent, fields(task), { signal }),
        'The task stays open.',
      ),
  };
}

/** Through the mailbox if there is one, so that it is delivered exactly once and can be watched. */
function reportJob(session: Session, agent: Agent, job: EndedJob): void {
  const { mailbox } = session.options;
  // An agent that has ended reads nothing more; the main agent does.
  const reader = session.background.has(agent.identity?.id ?? '') ? agent : session.main;
  emitMessage(session, {
    type: 'system',
    subtype: 'task_notification',
    task_id: job.id,
    status: job.status,
    output_file: '',
    summary: job.result,
  });
  const tell = (): void =>
    reader.inbox.put({
      from: `the background job ${job.id}`,
      text: `The background job ${job.id} of ${job.tool} has ended: ${job.status}.\n${job.result}`,
    });
  if (mailbox === undefined) tell();
  else
    createBackgroundToolComplete({ mailbox })
      .report(mailboxName(session, reader), { ...job, id: `${session.id}:${job.id}` })
      .catch(tell);
}

function memberOf(session: Session, { identity }: Agent): { teammate_name?: string; team_name?: string } {
  const { team } = session.options;
  if (identity?.name === undefined || team === undefined) return {};
  return { teammate_name: identity.name, team_name: team };
}

function sendMessage(session: Session, sender: Agent, { to, message }: TeamMessage): ToolOutcome {
  const from = sender.identity?.name ?? LEAD;
  const others = [...session.background.members(), session.main].filter((agent) => agent !== sender);
  const receivers = to === '*' ? others : others.filter((agent) => nameOf(agent) === to);
  if (receivers.length === 0) {
    const known = others.map(nameOf);
    return {
      ok: false,
      error: `There is no agent named ${JSON.stringify(to)}. Available: ${known.join(', ')}.`,
    };
  }
  const text = `<teammate-message teammate_id=${JSON.stringify(from)}>\n${message}\n</teammate-message>`;
  for (const receiver of receivers) receiver.inbox.put({ from, text });
  const names = receivers.map(nameOf);
  return {
    ok: true,
    content: `Sent to ${names.join(', ')}.`,
    response: { success: true, recipients: names },
  };
}

const nameOf = ({ identity }: Agent): string => identity?.name ?? LEAD;
