/** The same hooks for an agent of the Claude Agent SDK: what the runner decides is what the SDK obeys. */
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { Runner } from 'hookline';
import { toSdkHooks } from 'hookline/claude-agent-sdk';

const runner = new Runner();
runner.on('PreToolUse', { matcher: 'Bash', onFailure: 'block' }, ({ tool_input }) =>
  tool_input.command.includes('--force') ? { decision: 'block', reason: 'not by force' } : undefined,
);

const options: Options = { hooks: toSdkHooks(runner) };

// query({ prompt, options }) would call this for every tool; here we stand in for it.
const [before] = options.hooks?.PreToolUse?.[0]?.hooks ?? [];
for (const command of ['git push', 'git push --force']) {
  const input = {
    hook_event_name: 'PreToolUse' as const,
    session_id: 'example',
    transcript_path: '',
    cwd: process.cwd(),
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'call-1',
  };
  const answer = await before?.(input, 'call-1', { signal: new AbortController().signal });
  console.log(command, JSON.stringify(answer));
}
await runner.dispose();
