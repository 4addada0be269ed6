/** Starts another agent: in the foreground, in the background, or as a team member. */
import { randomBytes } from 'node:crypto';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import { DEFAULT_AGENT_TYPE } from '../tools/agent.js';
import type { AgentRequest } from '../tools/host.js';
import type { ToolContext, ToolOutcome } from '../tools/tool.js';
import type { Agent } from './agent.js';
import { createSubagent } from './make-agent.js';
import { type AgentDefinition, LEAD } from './options.js';
import { remindOfContext } from './reminders.js';
import { emitMessage, type Session, type StopRequest } from './session.js';
import { workAsMember, workOnce } from './subagent-work.js';

export async function startAgent(
  session: Session,
  parent: Agent,
  request: AgentRequest,
  context: ToolContext,
  onStopRequest: (halt: StopRequest) => void,
): Promise<ToolOutcome> {
  const definition = definitionOf(session, request.agentType);
  if (typeof definition === 'string') return { ok: false, error: definition };
  const member = isMember(session, request);
  if (member && (isReserved(session, request.name) || !session.background.claimName(request.name)))
    return { ok: false, error: taken(request.name) };
  const agent = await createSubagent(session, parent, definition, {
    id: `a${randomBytes(8).toString('hex')}`,
    type: request.agentType,
    toolUseId: context.toolUseId,
    name: member ? request.name : undefined,
  });
  const inBackground = member || (request.inBackground ?? session.options.backgroundAgents === true);
  announce(session, agent, request, inBackground);
  if (!inBackground) {
    await prepareSubagent(session, agent, request, context.signal);
    const end = await workOnce(session, agent, context.signal);
    if (!end.ok) return { ok: false, error: end.error };
    if (end.halt !== undefined) onStopRequest(end.halt);
    return answered(agent, request);
  }
  const { signal } = session.background;
  session.background.start(agent, request.description, async () => {
    await prepareSubagent(session, agent, request, signal);
    await (member
      ? workAsMember(session, agent, request.description, signal)
      : notifyParentWhenDone(session, parent, agent, request, signal));
  });
  return launched(agent, request);
}

/** Fires SubagentStart and collects the context for the first turn. */
async function prepareSubagent(
  session: Session,
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<void> {
  const { id = '', type = '' } = agent.identity ?? {};
  // A disposed runner has no hooks left; the first turn will report it.
  const outcome = await session.hooks
    .fire('SubagentStart', agent, { agent_id: id, agent_type: type }, { signal })
    .catch(() => undefined);
  if (outcome) agent.nextContext.push(...remindOfContext(outcome.event, outcome.additionalContext));
  agent.appendUserMessage([{ type: 'text', text: request.prompt }], { promptId: session.promptId });
}

async function notifyParentWhenDone(
  session: Session,
  parent: Agent,
  agent: Agent,
  { description }: AgentRequest,
  signal: AbortSignal,
): Promise<void> {
  const end = await workOnce(session, agent, signal);
  if (signal.aborted) return;
  const { id = '', toolUseId = '' } = agent.identity ?? {};
  const status = end.ok ? 'completed' : 'failed';
  const result = end.ok ? agent.lastText : end.error;
  const { path = '' } = agent.transcript ?? {};
  emitMessage(session, {
    type: 'system',
    subtype: 'task_notification',
    task_id: id,
    status,
    output_file: path,
    summary: result,
  });
  parent.inbox.put({
    from: `the agent ${id}`,
    text: [
      'An agent that you started in the background has ended. This is not a message from the user.',
      `<task-notification>\n<task-id>${id}</task-id>\n<tool-use-id>${toolUseId}</tool-use-id>`,
      `<status>${status}</status>\n<summary>${description}</summary>\n<result>${result}</result>\n</task-notification>`,
    ].join('\n'),
  });
}

function announce(session: Session, agent: Agent, request: AgentRequest, inBackground: boolean): void {
  const { id = '', type = '', toolUseId = '' } = agent.identity ?? {};
  emitMessage(session, {
    type: 'system',
    subtype: 'task_started',
    task_id: id,
    tool_use_id: toolUseId,
    description: request.description,
    subagent_type: type,
    is_backgrounded: inBackground,
  });
}

/** Returns an error message for the model if there is no such type. */
function definitionOf(session: Session, type: string): AgentDefinition | string {
  const { agents = {} } = session.options;
  if (Object.hasOwn(agents, type)) return agents[type] as AgentDefinition;
  if (type === DEFAULT_AGENT_TYPE) return { description: 'Works on any task', prompt: session.main.system };
  const known = [DEFAULT_AGENT_TYPE, ...Object.keys(agents)];
  return `There is no agent type ${JSON.stringify(type)}. Available: ${known.join(', ')}.`;
}

function isMember(session: Session, request: AgentRequest): request is AgentRequest & { name: string } {
  return request.name !== undefined && session.options.team !== undefined;
}

/** Reserved names would be confused with the main agent or with a broadcast. */
function isReserved({ options }: Session, name: string): boolean {
  return [MAIN_AGENT, LEAD, '*', options.agentId].includes(name);
}

const taken = (name: string): string =>
  `The name ${JSON.stringify(name)} is taken. If it is a team member, use SendMessage to write to it; otherwise choose another name.`;

function answered(agent: Agent, { prompt }: AgentRequest): ToolOutcome {
  const text = agent.lastText || '(it ended without any text)';
  const content = [{ type: 'text', text }] as const;
  return {
    ok: true,
    content,
    response: { status: 'completed', prompt, agentId: agent.identity?.id, content },
  };
}

function launched(agent: Agent, { description, prompt }: AgentRequest): ToolOutcome {
  const { id, name } = agent.identity ?? {};
  const who = name === undefined ? `Agent ${id}` : `${name} (agent ${id})`;
  return {
    ok: true,
    content: `${who} is working in the background. You will be notified when it is done; continue with something else, or end your turn.`,
    response: {
      isAsync: true,
      status: 'async_launched',
      agentId: id,
      description,
      prompt,
      outputFile: agent.transcript?.path ?? '',
    },
  };
}
