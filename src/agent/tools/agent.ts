/** The tools Agent and SendMessage. The loop that runs them starts the agents and delivers the messages. */
import { z } from 'zod';
import type { ToolHost } from './host.js';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.js';

/** The tool itself has practically no timeout: the agent's turns, tools and hooks have their own limits. */
const TIMEOUT_SECONDS = 86_400;

export const DEFAULT_AGENT_TYPE = 'general-purpose';

/** The tool `Agent`: starts another agent. Works only inside an agent loop; elsewhere it returns an error. */
export const agentTool = defineTool({
  name: 'Agent',
  aliases: ['Task'],
  description:
    'Starts another agent on a separate task, with a new conversation and the same tools. Put everything it needs to know in the prompt. You get its last answer. An agent with a name joins the team; write to it with SendMessage.',
  input: z.strictObject({
    description: z.string().min(1).describe('The task in three to five words'),
    prompt: z.string().min(1).describe('What it should do, and everything it needs to know'),
    subagent_type: z.string().min(1).default(DEFAULT_AGENT_TYPE).describe('The type of agent'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('true: continue at once; you are notified when it is done. false: wait for its answer'),
    name: z.string().min(1).optional().describe('A name in the team'),
    team_name: z.string().min(1).optional().describe('The team; optional, because there is only one'),
    model: z.string().min(1).optional().describe('A model. Default: that of the session'),
  }),
  harmless: true,
  concurrent: true,
  timeout: TIMEOUT_SECONDS,
  run({ description, prompt, subagent_type, run_in_background, name }, context) {
    return withHost(context, (host) =>
      host.startAgent(
        { description, prompt, agentType: subagent_type, inBackground: run_in_background, name },
        context,
      ),
    );
  },
});

/** The tool `SendMessage`: writes to team members. Works only inside an agent loop; elsewhere it returns an error. */
export const sendMessageTool = defineTool({
  name: 'SendMessage',
  description:
    'Writes to a member of the team by its name, or to all of them with "*". They read it at the next safe point of their work; idle members wake up.',
  input: z.strictObject({
    to: z.string().min(1).describe('The name of the member, or *'),
    message: z.string().min(1).describe('The message'),
    summary: z.string().optional().describe('The message in a few words'),
  }),
  harmless: true,
  run({ to, message }, context) {
    return withHost(context, (host) => host.sendMessage({ to, message }, context));
  },
});

function withHost(
  context: ToolContext,
  use: (host: ToolHost) => Promise<ToolOutcome>,
): Promise<ToolOutcome> | ToolOutcome {
  if (context.host) return use(context.host);
  return { ok: false, error: 'There are no other agents here: this tool works inside an agent loop only.' };
}
