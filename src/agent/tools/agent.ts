/** Agent and SendMessage: the model's hands on other agents. The loop that runs the tools starts and reaches them. */
import { z } from 'zod';
import type { ToolHost } from './host.js';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.js';

/** An agent works as long as it works: its own turns, tools and hooks have their limits. */
const NO_HURRY_SECONDS = 86_400;

export const DEFAULT_AGENT_TYPE = 'general-purpose';

/** The tool `Agent`: starts another agent. Works inside an agent loop only; elsewhere it answers with an error. */
export const agentTool = defineTool({
  name: 'Agent',
  aliases: ['Task'],
  description:
    'Starts another agent on a task of its own, with a fresh conversation and the same tools. Tell it everything it has to know in the prompt. You get its last answer. With a name it joins the team and can be written to with SendMessage.',
  input: z.strictObject({
    description: z.string().min(1).describe('The task in three to five words'),
    prompt: z.string().min(1).describe('What it is to do, with all it has to know'),
    subagent_type: z.string().min(1).default(DEFAULT_AGENT_TYPE).describe('What kind of agent'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('true: you go on at once and are told when it is done. false: you wait for its answer'),
    name: z.string().min(1).optional().describe('A name in the team'),
    team_name: z.string().min(1).optional().describe('The team; there is one, so it can be left out'),
    model: z.string().min(1).optional().describe('A model; the one of the session when left out'),
  }),
  harmless: true,
  concurrent: true,
  timeout: NO_HURRY_SECONDS,
  run({ description, prompt, subagent_type, run_in_background, name }, context) {
    return withHost(context, (host) =>
      host.startAgent(
        { description, prompt, agentType: subagent_type, inBackground: run_in_background, name },
        context,
      ),
    );
  },
});

/** The tool `SendMessage`: writes to members of the team. Works inside an agent loop only, as `agentTool`. */
export const sendMessageTool = defineTool({
  name: 'SendMessage',
  description:
    'Writes to a member of the team by its name, or to all of them with "*". It is read at the next safe point of their work, and wakes those who are idle.',
  input: z.strictObject({
    to: z.string().min(1).describe('The name of the member, or *'),
    message: z.string().min(1).describe('What to tell'),
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
