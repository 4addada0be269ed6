/** Loads the MCP SDK, an optional package, when the first server is connected. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';

export interface McpSdk {
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  readonly ReadBuffer: typeof ReadBuffer;
  readonly serializeMessage: typeof serializeMessage;
}

/** Rejects with a clear message if the package is not installed. */
export async function loadMcpSdk(load: () => Promise<McpSdk> = importSdk): Promise<McpSdk> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error(
      'MCP servers need the package @modelcontextprotocol/sdk, which is not installed: npm install @modelcontextprotocol/sdk',
      { cause },
    );
  }
}

async function importSdk(): Promise<McpSdk> {
  const [{ Client }, { StreamableHTTPClientTransport }, { ReadBuffer, serializeMessage }] = await Promise.all(
    [
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/shared/stdio.js'),
    ],
  );
  return { Client, StreamableHTTPClientTransport, ReadBuffer, serializeMessage };
}
