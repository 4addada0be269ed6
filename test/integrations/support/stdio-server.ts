#!/usr/bin/env -S node --import tsx
// An MCP server with hooks and a mailbox of its own, on its standard streams. What hooks were told goes to stderr.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Runner } from '../../../src/index.js';
import { createMailbox } from '../../../src/injection/mailboxes/memory/mailbox.js';
import { withHooks } from '../../../src/integrations/mcp/index.js';
import { addTools, makeServer, text } from './mcp-tools.js';

const mailbox = createMailbox();
await mailbox.put({ id: 'news', content: 'the build is green', to: 'ada' });

const runner = new Runner();
runner.on('PreToolUse', { matcher: 'mcp__far__echo' }, ({ tool_input }) => {
  const { text: value } = tool_input as { text: string };
  if (value === 'secret') return { decision: 'block', reason: 'it stays here' };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { text: `${value}!` } } };
});
runner.on('PostToolUseFailure', ({ tool_name, error }) => console.error(`${tool_name}: ${error}`));

const server = addTools(makeServer());
server.registerTool('status', {}, async () => ({
  content: [text(JSON.stringify(await mailbox.status('news')))],
}));
withHooks(server, runner, { serverName: 'far', agentId: 'ada', mailbox });
await server.connect(new StdioServerTransport());
