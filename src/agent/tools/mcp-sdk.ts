/** Loads the MCP SDK, an optional package, when the first server is connected. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { loadOptional, rethrow } from '../../base/optional-package.js';

export interface McpSdk {
  /** Older versions have none: their servers cannot ask. */
  readonly ElicitRequestSchema: typeof ElicitRequestSchema | undefined;
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  readonly ReadBuffer: typeof ReadBuffer;
  readonly serializeMessage: typeof serializeMessage;
}

/** Rejects with a clear message if the package is not installed, or too old. */
export const loadMcpSdk = (load: () => Promise<McpSdk> = importSdk): Promise<McpSdk> =>
  loadOptional(
    '@modelcontextprotocol/sdk',
    'MCP servers need',
    load,
    (message, cause) => new Error(message, { cause }),
  );

async function importSdk(): Promise<McpSdk> {
  try {
    const [
      { Client },
      { StreamableHTTPClientTransport },
      { ReadBuffer, serializeMessage },
      { ElicitRequestSchema },
    ] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js').catch(rethrow),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js').catch(rethrow),
      import('@modelcontextprotocol/sdk/shared/stdio.js').catch(rethrow),
      import('@modelcontextprotocol/sdk/types.js').catch(rethrow),
    ]);
    return { ElicitRequestSchema, Client, StreamableHTTPClientTransport, ReadBuffer, serializeMessage };
  } catch (error) {
    return rethrow(error);
  }
}
