/** The connection to one MCP server, which is made again, within limits, if the server has died or was restarted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { abortable } from '../../base/async/abortable.js';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { messageOf } from '../../base/errors.js';
import { scrubEnvironment } from '../../process/environment.js';
import type { ElicitationAnswer } from './host.js';
import type { McpServerConfig } from './mcp.js';
import type { McpSdk } from './mcp-sdk.js';
import { StdioTransport } from './mcp-stdio.js';
import type { ToolContext } from './tool.js';

export interface ConnectionOptions {
  readonly cwd: string;
  /** How long one attempt to connect may take. */
  readonly connectMs: number;
}

/** Pauses before each attempt to connect again. */
const ATTEMPTS_MS = [0, 250, 1000];
/** After this much silence a server at a URL is asked whether it is still there, because a call must not be sent twice. */
export const PING_AFTER_MS = 1000;
const PING_TIMEOUT_MS = 5000;
/** A server that dies in every call is not started forever. */
export const MAX_RESTARTS = 5;

interface Live {
  readonly client: Client;
  readonly transport: Transport;
  dead: boolean;
  heardAt: number;
}

type Call = { readonly name: string; readonly arguments: Record<string, unknown> };
type Elicited = { readonly [field: string]: unknown; readonly message: string };

/** `connect` first; then `call` as often as needed, at once too. */
export class McpConnection {
  readonly #sdk: McpSdk;
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  /** The calls that are running, the newest last: one of them is what a question of the server is about. */
  readonly #running = new Set<ToolContext>();
  #live: Live | undefined;
  #again: Promise<Live> | undefined;
  /** How often it was connected again since the last call with a result. */
  #restarts = 0;

  constructor(sdk: McpSdk, name: string, config: McpServerConfig, options: ConnectionOptions) {
    this.#sdk = sdk;
    this.#name = name;
    this.#config = config;
    this.#options = options;
  }

  /** Rejects if the server does not start; everything that was started is then closed. */
  async connect(signal: AbortSignal): Promise<Client> {
    this.#live = await this.#open(signal);
    return this.#live.client;
  }

  /**
   * Rejects if there is no result. A call that certainly did not reach the server is repeated once; one in which the server
   * died is not, because it may have had an effect.
   */
  async call(call: Call, context: ToolContext): Promise<Awaited<ReturnType<Client['callTool']>>> {
    const { signal } = context;
    this.#running.add(context);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const live = await this.#ready(signal);
        try {
          const result = await live.client.callTool(call, undefined, { signal, timeout: MAX_TIMER_MS });
          this.#restarts = 0;
          live.heardAt = performance.now();
          return result;
        } catch (error) {
          if (signal.aborted) throw error;
          const isSafe = neverArrived(error);
          live.dead ||= isSafe || isBroken(error);
          if (!isFirst || !isSafe) throw error;
        }
      }
    } finally {
      this.#running.delete(context);
    }
  }

  /** What the error says, and what the program wrote before. */
  explain(error: unknown): string {
    return explain(error, this.#live?.transport);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection was closed'));
    await this.#again?.catch(() => {});
    if (this.#live) await closeBoth(this.#live);
  }

  async #ready(signal: AbortSignal): Promise<Live> {
    const live = this.#live;
    if (live !== undefined && !live.dead && (await isThere(live, signal))) return live;
    this.#again ??= this.#connectAgain().finally(() => {
      this.#again = undefined;
    });
    return abortable(this.#again, signal);
  }

  async #connectAgain(): Promise<Live> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (this.#restarts >= MAX_RESTARTS)
      throw new Error(
        `it was connected again ${MAX_RESTARTS} times without a result, and is not tried any more. ${this.explain('It is not running.')}`,
      );
    if (this.#live) await closeBoth(this.#live);
    for (const [i, pause] of ATTEMPTS_MS.entries()) {
      await sleep(pause, undefined, { signal });
      try {
        this.#live = await this.#open(
          AbortSignal.any([signal, AbortSignal.timeout(this.#options.connectMs)]),
        );
        this.#restarts += 1;
        return this.#live;
      } catch (error) {
        if (signal.aborted || i === ATTEMPTS_MS.length - 1)
          throw new Error(`it cannot be connected again: ${messageOf(error)}`, { cause: error });
      }
    }
    throw new Error('it cannot be connected again');
  }

  async #open(signal: AbortSignal): Promise<Live> {
    const transport = makeTransport(this.#sdk, this.#config, this.#options.cwd);
    const { Client, ElicitRequestSchema } = this.#sdk;
    const client = new Client(
      { name: 'hookline', version: '1.0.0' },
      ElicitRequestSchema && { capabilities: { elicitation: { form: {}, url: {} } } },
    );
    if (ElicitRequestSchema)
      client.setRequestHandler(ElicitRequestSchema, ({ params }, extra) =>
        this.#elicit(params as Elicited, extra.signal),
      );
    const live: Live = { client, transport, dead: false, heardAt: performance.now() };
    client.onclose = () => {
      live.dead = true;
    };
    try {
      // The request's signal does not cover a start that fails or hangs.
      await abortable(client.connect(transport, { signal, timeout: MAX_TIMER_MS }), signal);
      return live;
    } catch (error) {
      await closeBoth(live);
      throw new Error(explain(error, transport), { cause: error });
    }
  }

  /** Without anybody to ask, the answer is no. */
  async #elicit(asked: Elicited, signal: AbortSignal): Promise<ElicitationAnswer & Record<string, unknown>> {
    const [context] = [...this.#running].reverse();
    const { message, mode, url, elicitationId, requestedSchema } = asked;
    const answer = await context?.host?.elicit?.(
      {
        server: this.#name,
        message,
        ...(typeof mode === 'string' && { mode }),
        ...(typeof url === 'string' && { url }),
        ...(typeof elicitationId === 'string' && { id: elicitationId }),
        ...(typeof requestedSchema === 'object' && {
          requestedSchema: requestedSchema as Record<string, unknown>,
        }),
      },
      AbortSignal.any([signal, context.signal]),
    );
    if (answer === undefined) return { action: 'decline' };
    const { action, content } = answer;
    return { action, ...(action === 'accept' && content !== undefined && { content }) };
  }
}

/** A program that has ended is known to be dead; a server at a URL has to be asked. */
async function isThere(live: Live, signal: AbortSignal): Promise<boolean> {
  if (live.transport instanceof StdioTransport || performance.now() - live.heardAt < PING_AFTER_MS)
    return true;
  try {
    await live.client.ping({ signal, timeout: PING_TIMEOUT_MS });
    live.heardAt = performance.now();
  } catch (error) {
    signal.throwIfAborted();
    // Any answer, and silence too, leave it to the call.
    live.dead = neverArrived(error) || isBroken(error);
  }
  return !live.dead;
}

/** Whether the connection broke: the request may have arrived or not. */
function isBroken(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(cause?.code));
}

/** Whether the request certainly had no effect: nobody was there, or the server does not know the session any more. */
function neverArrived(error: unknown): boolean {
  const {
    code,
    message = '',
    cause,
  } = error as { code?: unknown; message?: string; cause?: { code?: unknown } };
  if (code === 404) return true;
  if (code === 400) return /session|not initialized/i.test(message);
  return cause?.code === 'ECONNREFUSED';
}

function explain(error: unknown, transport: Transport | undefined): string {
  const stderr = transport instanceof StdioTransport ? transport.stderr.trim() : '';
  const said = typeof error === 'string' ? error : messageOf(error);
  return `${said}${stderr === '' ? '' : ` (it wrote: ${stderr})`}`;
}

async function closeBoth({ client, transport }: Live): Promise<void> {
  await client.close().catch(() => {});
  await transport.close().catch(() => {});
}

function makeTransport(sdk: McpSdk, config: McpServerConfig, cwd: string): Transport {
  const { command, args, env, url, headers } = config as Partial<
    Extract<McpServerConfig, { command: string }> & Extract<McpServerConfig, { url: string }>
  >;
  if (typeof command === 'string' && command !== '')
    return new StdioTransport(sdk, {
      command,
      args: args ?? [],
      env: { ...scrubEnvironment(), ...env },
      cwd,
    });
  if (typeof url === 'string' && URL.canParse(url))
    return new sdk.StreamableHTTPClientTransport(new URL(url), {
      ...(headers && { requestInit: { headers: { ...headers } } }),
    });
  throw new Error('it has neither a command nor a valid url; give one of them');
}
