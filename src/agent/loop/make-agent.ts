/** Makes the agents of a session, each with a transcript of its own. */
import { agentTool } from '../tools/agent.js';
import type { Tool } from '../tools/tool.js';
import { openTranscript } from '../transcript/transcript.js';
import { Agent, type Identity } from './agent.js';
import { type AgentDefinition, completeSystemPrompt } from './options.js';
import type { Session } from './session.js';
import { VERSION } from './version.js';

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
    transcript,
  });
  return agent;
}

/** Agents that are started do not start others: one who asks for an agent always knows whom it asked. */
function toolsFor(all: readonly Tool[], { tools }: AgentDefinition): readonly Tool[] {
  return all.filter(
    (tool) => tool.name !== agentTool.name && (tools === undefined || tools.includes(tool.name)),
  );
}
