/** `hookline run --massgen`: the run stands for one agent of the file, with its settings. */
import type { AgentLoopOptions } from '../../agent/loop/options.js';
import { HookError, show } from '../../base/errors.js';
import type { LoadedConfig } from '../../config/loaded.js';
import type { MassgenAgent, MassgenConfig } from '../../dialects/loaders.js';
import { registerBuiltInHooks } from '../../injection/hooks/register.js';
import { createMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import type { Mailbox } from '../../injection/port.js';
import type { Runner } from '../../runner/runner.js';
import { builtInsOf } from '../../team/wire.js';
import type { Report } from './skipped-hooks.js';

/**
 * Registers the built-in hooks with the settings of the chosen agent, or of the only one; call it before the file's own
 * hooks are registered. Throws a HookError for an agent that no file has.
 */
export function useMassgenAgent(
  configs: readonly LoadedConfig[],
  chosen: string | undefined,
  runner: Runner,
  given: Mailbox | undefined,
  report: Report,
): Pick<AgentLoopOptions, 'agentId' | 'mailbox'> {
  const files = configs.filter((config): config is MassgenConfig => 'settings' in config);
  const agents = files.flatMap((config) => config.settings.agents.map((agent) => ({ config, agent })));
  const names = agents.map(({ agent }) => agent.id).join(', ') || 'none';
  const found =
    chosen === undefined && agents.length === 1 ? agents[0] : agents.find(({ agent }) => agent.id === chosen);
  if (chosen !== undefined && found === undefined)
    throw new HookError(
      'invalid_option',
      `--agent is ${show(chosen)}, and the agents of --massgen are: ${names}. Give one of them.`,
    );
  if (found === undefined) {
    if (agents.length > 1)
      report(
        `This run is none of the agents ${names}, so only the hooks for all apply. Choose one with --agent.`,
      );
    return {};
  }
  const left = leftOut(found.config, found.agent);
  if (left.length > 0)
    report(
      `Of the agent ${found.agent.id}, run uses the hooks, delays and time limits, but not: ${left.join(', ')}. hookline team uses all of it.`,
    );
  const mailbox = given ?? createMailbox({ agents: [found.agent.id] });
  registerBuiltInHooks(runner, builtInsOf(found.config, found.agent, { mailbox }));
  // The owner of a given mailbox knows the agent by the default name.
  return given === undefined ? { agentId: found.agent.id, mailbox } : { mailbox };
}

/** What the file says about an agent and a run does not do: it has a folder, a model and a prompt of its own. */
function leftOut({ settings }: MassgenConfig, agent: MassgenAgent): readonly string[] {
  const said = {
    model: agent.model,
    base_url: agent.baseUrl,
    cwd: agent.workspace,
    system_message: agent.systemMessage,
    enable_agent_task_planning: settings.taskPlanning || undefined,
  };
  return Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [key]));
}
