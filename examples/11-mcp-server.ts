/** Hooks and injection inside an MCP server: they work in whatever host calls its tools. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';
import { withHooks } from 'hookline/mcp';
import { z } from 'zod';

const runner = new Runner();
const mailbox = createMailbox();
runner.on('PreToolUse', { matcher: 'mcp__notes__*' }, ({ tool_input }) => {
  const { text } = tool_input as { text: string };
  return text.includes('password') ? { decision: 'block', reason: 'secrets are not noted' } : undefined;
});

const server = new McpServer({ name: 'notes', version: '1.0.0' });
withHooks(server, runner, { serverName: 'notes', agentId: 'ada', mailbox });
server.registerTool('note', { inputSchema: { text: z.string() } }, ({ text }) => ({
  content: [{ type: 'text', text: `noted: ${text}` }],
}));

// Any host would do; a client in the same process is enough to see it.
const client = new Client({ name: 'host', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);

async function note(text: string): Promise<void> {
  const { isError, content } = await client.callTool({ name: 'note', arguments: { text } });
  const blocks = content as { readonly text: string }[];
  console.log(`${isError ? 'refused' : 'result'}: ${blocks.map((block) => block.text).join('\n')}`);
}

await note('buy milk');
await note('my password');
await mailbox.put({ id: 'm1', content: 'The shop closes at six.', source: { kind: 'peer', label: 'ben' } });
await note('and bread');

await client.close();
await runner.dispose();
