/** Registers what a MassGen file says about one agent: the built-in hooks with its settings, then its own hooks. */
import type { AgentLoopOptions } from '../agent/loop/options.js';
import { HookError, show } from '../base/errors.js';
import { refuseLostProtection } from '../config/lost-protection.js';
import type { MassgenAgent, MassgenConfig } from '../dialects/loaders.js';
import type { MidStreamOptions } from '../injection/hooks/mid-stream.js';
import {
  type BuiltInHooks,
  type BuiltInHooksOptions,
  registerBuiltInHooks,
} from '../injection/hooks/register.js';
import type { Runner } from '../runner/runner.js';

/** What the file cannot say: where items are queued, and where peers' answers and files come from. */
export interface WireOptions
  extends Pick<BuiltInHooksOptions, 'mailbox' | 'paths' | 'human' | 'subagents' | 'backgroundTools'> {
  /** The agent's id in the file. Not needed if the file has only one. */
  readonly agentId?: string | undefined;
  /** Peers' answers; absent: an agent without peers. The file's settings are the policy. */
  readonly peers?: Omit<MidStreamOptions, 'mailbox' | 'timer' | 'policy'> | undefined;
}

/** One agent of the file, wired. */
export interface WiredAgent extends BuiltInHooks {
  readonly agent: MassgenAgent;
  /** For `new AgentLoop({ model, ...wired.loop })`: its hooks, mailbox, id and folder. */
  readonly loop: Pick<AgentLoopOptions, 'hooks' | 'mailbox' | 'agentId' | 'cwd' | 'systemPrompt'>;
}

const wiredRunners = new WeakSet<Runner>();

/**
 * Registers everything that a MassGen file says about one agent on a runner of its own: the built-in hooks with the
 * file's settings, then the file's hooks. Dispose the configuration yourself when no agent needs it any more.
 *
 * Throws a `HookError` for wrong settings of the file, for an agent that it does not have, and for a runner that was wired before: every agent
 * needs its own, because settings differ.
 */
export function wireMassgen(config: MassgenConfig, runner: Runner, options: WireOptions): WiredAgent {
  const { agentId, ...rest } = options;
  refuseBrokenSettings(config);
  refuseLostProtection(config.diagnostics, 'refuse', 'Repair this.');
  const agent = findAgent(config, agentId);
  if (wiredRunners.has(runner))
    throw new HookError(
      'invalid_option',
      'This runner is wired already. Create a runner for each agent: their settings differ.',
    );
  wiredRunners.add(runner);
  const hooks = registerBuiltInHooks(runner, builtInsOf(config, agent, rest));
  // Several runners may use the file, and none of them may end its Python process for the others.
  const { dispose: _dispose, ...shared } = config;
  const stop = runner.use(shared);
  const { workspace, systemMessage } = agent;
  return {
    ...hooks,
    agent,
    loop: {
      hooks: runner,
      mailbox: options.mailbox,
      agentId: agent.id,
      ...(workspace !== undefined && { cwd: workspace }),
      ...(systemMessage !== undefined && { systemPrompt: systemMessage }),
    },
    dispose: () => {
      stop();
      hooks.dispose();
      wiredRunners.delete(runner);
    },
  };
}

/** The options of the built-in hooks for an agent of a MassGen file. Never throws. */
export function builtInsOf(
  { settings }: MassgenConfig,
  { debugDelay, rounds, peerUpdates }: MassgenAgent,
  { peers, ...given }: Omit<WireOptions, 'agentId'>,
): BuiltInHooksOptions {
  const said = Object.fromEntries(Object.entries(peerUpdates).filter(([, value]) => value !== undefined));
  // The delay is there to watch updates arrive in the middle of the work; MassGen's first one would not.
  const policy = { ...said, ...(debugDelay !== undefined && { firstUpdate: 'mid-stream' as const }) };
  return {
    ...given,
    debugDelay,
    rounds,
    taskReminder: settings.taskPlanning ? true : undefined,
    peers: peers && { guidance: 'voting', ...peers, policy },
  };
}

/** Throws a `HookError` for an agent that the file does not have. */
export function findAgent({ settings: { agents }, files }: MassgenConfig, agentId?: string): MassgenAgent {
  const agent = agentId === undefined ? agents[0] : agents.find(({ id }) => id === agentId);
  if (agent !== undefined && (agentId !== undefined || agents.length === 1)) return agent;
  const known = agents.map(({ id }) => id).join(', ') || 'none';
  const what = agentId === undefined ? 'Say which agent' : `There is no agent ${show(agentId)}`;
  throw new HookError('invalid_option', `${what}: ${files[0] ?? 'the file'} has ${known}.`);
}

const BROKEN: ReadonlySet<string> = new Set(['invalid_setting', 'duplicate_agent_id']);

/** Throws a `HookError` that names every wrong setting of the file with its position: agents without it would work differently. */
export function refuseBrokenSettings({ diagnostics }: Pick<MassgenConfig, 'diagnostics'>): void {
  const broken = diagnostics.filter(({ code }) => BROKEN.has(code));
  if (broken.length === 0) return;
  const lines = broken.map(
    ({ message, source: { file, line, column } }) => `  ${file}:${line}:${column}: ${message}`,
  );
  throw new HookError('invalid_config', ['Settings of the file are wrong:', ...lines].join('\n'));
}
