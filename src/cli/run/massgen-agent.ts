/** `hookline run --massgen`: the run stands for one agent of the file, with its settings. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentLoopOptions } from '../../agent/loop/options.js';
import type { Tool } from '../../agent/tools/tool.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import type { LoadedConfig } from '../../config/loaded.js';
import { loadMassgenConfig, type MassgenAgent, type MassgenConfig } from '../../dialects/loaders.js';
import { registerBuiltInHooks } from '../../injection/hooks/register.js';
import { createMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import type { Mailbox } from '../../injection/port.js';
import type { Runner } from '../../runner/runner.js';
import { withPlanning } from '../../team/planning.js';
import { builtInsOf, refuseBrokenSettings } from '../../team/wire.js';
import type { Report } from './skipped-hooks.js';

/** The agent that a run stands for. */
export interface ChosenAgent {
  readonly agent: MassgenAgent;
  readonly config: MassgenConfig;
}

/**
 * Finds the chosen agent, or the only one. Only the settings are read: nothing of the files is started. Rejects with a
 * HookError for an agent that no file has, for wrong settings, and for a `cwd` that cannot be used.
 */
export async function chooseAgent(
  files: readonly string[],
  chosen: string | undefined,
  cwd: string,
  report: Report,
): Promise<ChosenAgent | undefined> {
  const configs = await Promise.all(
    files.map((file) => loadMassgenConfig(resolve(cwd, file), { preflight: false })),
  );
  // A file that cannot be read is reported with its hooks.
  if (configs.some(({ diagnostics }) => diagnostics.some(({ code }) => code === 'unreadable_file')))
    return undefined;
  for (const config of configs) refuseBrokenSettings(config);
  const agents = configs.flatMap((config) => config.settings.agents.map((agent) => ({ config, agent })));
  const names = agents.map(({ agent }) => agent.id).join(', ') || 'none';
  const found =
    chosen === undefined && agents.length === 1 ? agents[0] : agents.find(({ agent }) => agent.id === chosen);
  if (chosen !== undefined && found === undefined)
    throw new HookError(
      'invalid_option',
      `--agent is ${show(chosen)}, and the agents of --massgen are: ${names}. Give one of them.`,
    );
  if (found === undefined && agents.length > 1)
    report(
      `This run is none of the agents ${names}, so only the hooks for all apply. Choose one with --agent.`,
    );
  if (found?.agent.workspace !== undefined) await makeWorkspace(found.agent.workspace);
  return found;
}

async function makeWorkspace(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `The folder of the agent (\`cwd\`) cannot be made: ${messageOf(error)}. Give another one in the file.`,
    );
  }
}

/** The tools of a run as this agent: with task planning, MassGen's tools in the place of the built-in ones. */
export function toolsAs(
  chosen: ChosenAgent | undefined,
  tools: readonly Tool[],
  cwd: string,
): readonly Tool[] {
  return chosen === undefined ? tools : withPlanning(tools, chosen.config.settings, cwd);
}

/**
 * Registers the built-in hooks with the settings of the agent; call it before the file's own hooks are registered. Returns
 * the agent's id and mailbox.
 */
export function registerAgent(
  chosen: ChosenAgent | undefined,
  configs: readonly LoadedConfig[],
  runner: Runner,
  given: Mailbox | undefined,
): Pick<AgentLoopOptions, 'agentId' | 'mailbox'> {
  if (chosen === undefined) return {};
  const { agent, config } = chosen;
  const loaded = configs.find(
    (each): each is MassgenConfig => 'settings' in each && each.files[0] === config.files[0],
  );
  const mailbox = given ?? createMailbox({ agents: [agent.id] });
  registerBuiltInHooks(runner, builtInsOf(loaded ?? config, agent, { mailbox }));
  // The owner of a given mailbox knows the agent by the default name.
  return given === undefined ? { agentId: agent.id, mailbox } : { mailbox };
}
