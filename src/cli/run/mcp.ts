/** The MCP servers given on the command line: their tools for the agent, and the same connections for hooks. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { connectMcpServers, type McpConnections, type McpServerConfig } from '../../agent/tools/mcp.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import type { HookMcpClient } from '../../handlers/mcp-tool.js';

const config = z.looseObject({
  mcpServers: z.record(
    z.string(),
    z.union([
      z.looseObject({
        command: z.string(),
        args: z.array(z.string()).optional(),
        env: z.record(z.string(), z.string()).optional(),
      }),
      z.looseObject({ url: z.string(), headers: z.record(z.string(), z.string()).optional() }),
    ]),
  ),
});

export interface Servers extends McpConnections {
  readonly client: HookMcpClient;
  readonly states: readonly { readonly name: string; readonly status: string }[];
}

export async function connectServers(
  texts: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Servers> {
  const all: Record<string, McpServerConfig> = {};
  for (const text of texts) Object.assign(all, await readServers(text, cwd));
  const connected = await connectMcpServers(all, { cwd, signal });
  const failed = new Set(connected.failures.map(({ server }) => server));
  return {
    ...connected,
    close: () => connected.close(),
    states: Object.keys(all).map((name) => ({ name, status: failed.has(name) ? 'failed' : 'connected' })),
    client: {
      callTool: async (server, name, args, abort) => {
        const tool = connected.tools.find((each) => each.name === `mcp__${server}__${name}`);
        if (tool === undefined)
          throw new Error(`there is no tool ${name} of a connected MCP server ${server}`);
        const outcome = await tool.run(args, {
          cwd,
          setCwd: () => {},
          signal: abort,
          environmentFiles: [],
          toolUseId: '',
        });
        if (!outcome.ok) return { content: [{ type: 'text', text: outcome.error }], isError: true };
        return { content: outcome.response };
      },
    },
  };
}

async function readServers(text: string, cwd: string): Promise<Record<string, McpServerConfig>> {
  const inline = text.trimStart().startsWith('{');
  try {
    const json: unknown = JSON.parse(inline ? text : await readFile(resolve(cwd, text), 'utf8'));
    const read = config.safeParse(json);
    if (!read.success) throw new Error(z.prettifyError(read.error));
    return read.data.mcpServers as Record<string, McpServerConfig>;
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `--mcp-config ${inline ? 'as JSON' : show(text)} cannot be used: ${inline ? 'it is not valid' : messageOf(error)}. Write {"mcpServers":{"name":{"command":"…"}}}.`,
    );
  }
}
