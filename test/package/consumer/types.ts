/** The types of every entry as a user meets them. Each mistake below is one only as long as the types are really found. */
import { type HookOutcome, Runner } from 'hookline';
import { AgentLoop, scriptedModel } from 'hookline/agent';
import { createHooks } from 'hookline/ai-sdk';
import { createHooks as createAnthropicHooks } from 'hookline/anthropic';
import { toSdkHooks } from 'hookline/claude-agent-sdk';
import { openFileMailbox } from 'hookline/files';
import { type CommandsRead, readCommands } from 'hookline/guard';
import { createHookless } from 'hookline/hookless';
import { createMailbox, type InjectionItem } from 'hookline/injection';
import { createHooks as createLangchainHooks } from 'hookline/langchain';
import { type LiveView, startLiveView } from 'hookline/live';
import { createHooks as createMastraHooks } from 'hookline/mastra';
import { wrapToolHandler } from 'hookline/mcp';
import { createHooks as createOpenaiHooks } from 'hookline/openai';
import { createHooks as createOpenaiAgentsHooks } from 'hookline/openai-agents';
import { instrument } from 'hookline/opentelemetry';
import manifest from 'hookline/package.json' with { type: 'json' };
import { openRedisMailbox } from 'hookline/redis';
import { createSession } from 'hookline/session';
import { createHooks as createStrandsHooks } from 'hookline/strands';
import { type WiredAgent, wireMassgen } from 'hookline/team';
import { type MailboxCheck, mailboxContract } from 'hookline/testing';
import { openWorkspaces } from 'hookline/workspaces';

const runner = new Runner({ cwd: '/' });
const mailbox = createMailbox({ agents: ['ada'] });

runner.on('PreToolUse', (input) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: input.tool_name === 'Bash' ? 'deny' : 'allow',
  },
}));
// @ts-expect-error another event's answer
runner.on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'Stop' } }));
// @ts-expect-error a runner has no hooks of this event
runner.on('PreTolUse', () => undefined);

export async function useEverything(): Promise<readonly unknown[]> {
  const outcome: HookOutcome<'Stop'> = await runner.fire('Stop', { stop_hook_active: false });
  const item: InjectionItem = await mailbox.put({ content: 'Metres, please.', to: 'ada' });
  const view: LiveView = await startLiveView({ mailbox });
  // @ts-expect-error no option of this type
  createMailbox({ agents: 'ada' });
  // @ts-expect-error nor here
  startLiveView({ port: '80' });
  // @ts-expect-error no runner
  createSession({});
  // @ts-expect-error nor here
  createHooks({});
  // @ts-expect-error nor here
  createAnthropicHooks({});
  // @ts-expect-error nor here
  createLangchainHooks({});
  // @ts-expect-error nor here
  createMastraHooks({});
  // @ts-expect-error nor here
  createStrandsHooks({});
  // @ts-expect-error nor here
  createOpenaiAgentsHooks({});
  // @ts-expect-error nor here
  createOpenaiHooks({});
  // @ts-expect-error no model
  new AgentLoop({ model: 'large' });
  // @ts-expect-error no runner
  toSdkHooks(1);
  // @ts-expect-error no name
  wrapToolHandler(() => ({ content: [] }), runner, { serverName: 1 });
  // @ts-expect-error whose items?
  createHookless({ mailbox });
  // @ts-expect-error no path
  openFileMailbox({ directory: 1 });
  // @ts-expect-error no url
  openRedisMailbox({ url: 1 });
  // @ts-expect-error no runner
  instrument(1);
  // @ts-expect-error no path
  openWorkspaces({ directory: 1 });
  // @ts-expect-error no configuration
  wireMassgen({}, runner, { mailbox });
  // @ts-expect-error no folder
  readCommands('ls');
  const read: CommandsRead = readCommands('ls', '/');
  const wired: WiredAgent[] = [];
  // @ts-expect-error no such feature
  mailboxContract({ open: () => mailbox, has: ['clocks'] });
  const checks: readonly MailboxCheck[] = mailboxContract({ open: () => mailbox, has: ['clock'] });
  const name: string = manifest.name;
  const loop = new AgentLoop({ model: scriptedModel([]) });
  return [loop, read, wired, checks.length, outcome.decision, item.content, view.url, name];
}
