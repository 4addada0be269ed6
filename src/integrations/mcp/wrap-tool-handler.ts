/** Wraps a server's handler of tool calls with hooks and a mailbox. */
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolRequest,
  ServerNotification,
  ServerRequest,
  ServerResult,
  Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { frameItems } from '../../injection/frame.js';
import type { Mailbox } from '../../injection/port.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import { endLease, type RenderItems, takeItems } from '../take-items.js';
import { fieldOf } from '../tool-content.js';
import { afterSending } from './after-sending.js';
import { checkAgainstSchema } from './check-input.js';
import { callWithHooks } from './hooked-call.js';
import { hookedName, type McpHookOptions, readSurroundings } from './options.js';
import { addTexts, type ToolResult } from './result.js';
import { showsAdded } from './shown-parts.js';

/** The second argument that the MCP SDK passes to a handler. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The handler for `Server.setRequestHandler(CallToolRequestSchema, …)`. */
export type ToolHandler = (
  request: CallToolRequest,
  extra: CallExtra,
) => ServerResult | Promise<ServerResult>;

/** How calls to a server are guarded, and which items are added to their results. */
export interface ServerHookOptions extends McpHookOptions {
  /** The agent whose own hooks run and whose items are delivered; a function if one server serves several agents. */
  readonly agentId?: string | ((extra: CallExtra) => string | undefined) | undefined;
  /** Its items are added to tool results, each as a separate text block. Needs `agentId`. */
  readonly mailbox?: Mailbox | undefined;
  /** Formats an item for the model. Default: in a frame, which names the sender. */
  readonly render?: RenderItems | undefined;
  /**
   * Some hosts show the model only a part of some results: only the structured content, or only the first block of a
   * failed result. `wait`: items wait for another result; `add`: they are added anyway. Default: `auto`, they wait if
   * the host is known to do so.
   */
  readonly partlyShown?: 'auto' | 'add' | 'wait' | undefined;
}

/** The same for a single handler, which has no reference to its server. */
export interface ToolHandlerOptions extends ServerHookOptions {
  /** The server of the handler: its transport reports when a result was sent. Required with a mailbox. */
  readonly server?: Pick<Server, 'transport' | 'getClientVersion'> | undefined;
  /** The tools of the server: inputs that hooks have rewritten are validated against their schemas. */
  readonly tools?: (() => readonly Tool[] | Promise<readonly Tool[]>) | undefined;
}

const OPTIONS: OptionNames<ToolHandlerOptions> = {
  serverName: true,
  onError: true,
  ask: true,
  onOutcome: true,
  onProblem: true,
  agentId: true,
  mailbox: true,
  render: true,
  partlyShown: true,
  server: true,
  tools: true,
};

/** The host's id of a call, if it provides one. */
const TOOL_USE_ID = 'claudecode/toolUseId';

/**
 * Wraps a handler: hooks run before and after each call, and items of the mailbox are added to the results. Throws a
 * `HookError` for invalid options.
 */
export function wrapToolHandler(
  handler: ToolHandler,
  runner: HookRunner,
  options: ToolHandlerOptions,
): ToolHandler {
  refuseUnknownOptions('wrapToolHandler', options, OPTIONS);
  const { mailbox, agentId: agent, server, tools, partlyShown = 'auto' } = options;
  const surroundings = readSurroundings(runner, options);
  if (mailbox !== undefined && agent === undefined)
    throw invalid('`mailbox` needs `agentId`: the agent whose items are delivered.');
  if (mailbox !== undefined && server === undefined)
    throw invalid('`mailbox` needs `server`: its transport reports when items have been sent.');
  if (!['auto', 'add', 'wait'].includes(partlyShown))
    throw invalid(`\`partlyShown\` is ${show(partlyShown)}; expected auto, add or wait.`);
  return async (request, extra) => {
    // An invalid call is rejected by the handler itself.
    if (typeof fieldOf(request.params, 'name') !== 'string') return handler(request, extra);
    const { name, arguments: input, task } = request.params;
    const agentId = typeof agent === 'function' ? agent(extra) : agent;
    const result = await callWithHooks<ToolResult>(surroundings, {
      tool: name,
      input,
      toolUseID: toolUseIdOf(request),
      agentId,
      sessionId: extra.sessionId,
      signal: extra.signal,
      ...(tools !== undefined && {
        check: async (rewritten) => checkAgainstSchema(await tools(), name, rewritten),
      }),
      run: async (rewritten) => handler(rewritten === input ? request : withInput(request, rewritten), extra),
    });
    // The result of a task is sent in other ways, which cannot be observed here.
    const delivers = mailbox !== undefined && agentId !== undefined && task === undefined;
    if (!delivers || extra.taskId !== undefined || !showsAdded(result, options)) return result;
    return deliver(result, extra, {
      ...options,
      mailbox,
      agentId,
      toolName: hookedName(surroundings.serverName, name),
    });
  };
}

/** Adds queued items, and ends their leases when the result is sent or has failed. */
async function deliver(
  result: ToolResult,
  { requestId, signal }: CallExtra,
  {
    mailbox,
    agentId,
    toolName,
    server,
    render = frameItems,
    onProblem = () => {},
  }: ToolHandlerOptions & { mailbox: Mailbox; agentId: string; toolName: string },
): Promise<ToolResult> {
  const items = await takeItems({ mailbox, agentId, toolName, show: render, onProblem });
  if (items.length === 0) return result;
  afterSending(server?.transport, requestId, signal, (sent) => {
    for (const { lease } of items) void endLease(lease, sent ? 'acknowledge' : 'release', onProblem);
  });
  return addTexts(
    result,
    items.map(({ text }) => text),
  );
}

const withInput = (
  request: CallToolRequest,
  input: CallToolRequest['params']['arguments'],
): CallToolRequest => ({
  ...request,
  params: { ...request.params, arguments: input },
});

function toolUseIdOf({ params }: CallToolRequest): string {
  const id = fieldOf(params._meta, TOOL_USE_ID);
  return typeof id === 'string' ? id : `mcp-${randomUUID()}`;
}

const invalid = (message: string): HookError => new HookError('invalid_option', message);
