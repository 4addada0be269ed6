/** Creates the agents of a session, each with its own transcript. */
import { VERSION } from '../../base/version.js';
import { agentTool } from '../tools/agent.js';
import type { Tool } from '../tools/tool.js';
import { openTranscript } from '../transcript/transcript.js';
import { Agent, type Identity } from './agent.js';
import { mailboxName } from './deliver-items.js';
import { type AgentDefinition, completeSystemPrompt } from './options.js';
import type { Session } from './session.js';

export async function createSubagent(
  session: Session,
  parent: Agent,
  definition: AgentDefinition,
  identity: Identity,
): Promise<Agent> {
  const path = session.subagentTranscript(identity.id);
  let agent: Agent | undefined;
  const transcript =
    path === undefined
      ? undefined
      : await openTranscript({
          path,
          sessionId: session.id,
          agentId: identity.id,
          version: VERSION,
          cwd: () => agent?.cwd ?? parent.cwd,
          onProblem: session.onTranscriptProblem,
        });
  agent = new Agent({
    identity,
    model: definition.model ?? session.main.model,
    tools: toolsFor(session.main.tools, definition),
    system: completeSystemPrompt(definition.prompt, session.options),
    cwd: parent.cwd,
    maxTurns: definition.maxTurns ?? session.options.maxTurns,
    transcript,
  });
  session.items.addAgent(mailboxName(session, agent));
  return agent;
}

/** Subagents cannot start other agents, so they do not get the Agent tool. */
function toolsFor(all: readonly Tool[], { tools }: AgentDefinition): readonly Tool[] {
  return all.filter(
    (tool) => tool.name !== agentTool.name && (tools === undefined || tools.includes(tool.name)),
  );
}
