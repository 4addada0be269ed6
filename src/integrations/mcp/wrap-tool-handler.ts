/** Puts hooks and a mailbox around a server's handler of tool calls. */
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
import { checkAgainstSchema } from './check-schema.js';
import { callWithHooks } from './hooked-call.js';
import { hookedName, type McpHookOptions, readSurroundings } from './options.js';
import { addTexts, type ToolResult } from './result.js';
import { showsAdded } from './shown-parts.js';

/** What the MCP SDK hands to a handler beside the request. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What `Server.setRequestHandler(CallToolRequestSchema, …)` takes. */
export type ToolHandler = (
  request: CallToolRequest,
  extra: CallExtra,
) => ServerResult | Promise<ServerResult>;

/** How the calls that reach a server are guarded, and which items travel with their results. */
export interface ServerHookOptions extends McpHookOptions {
  /** Whose own hooks count, and whose items are delivered; a function where one server works for several agents. */
  readonly agentId?: string | ((extra: CallExtra) => string | undefined) | undefined;
  /** Items in it are added to every tool result, each as a text block of its own. Needs `agentId`. */
  readonly mailbox?: Mailbox | undefined;
  /** How an item is shown to the model. Default: in a frame, which says who has sent it. */
  readonly render?: RenderItems | undefined;
  /**
   * Some hosts show the model only a part of some results: of one with structured content nothing else, of a failed one
   * the first block. `wait`: items wait for another result; `add`: they are added all the same. Default: `auto`, they
   * wait where the host is known to do so.
   */
  readonly partlyShown?: 'auto' | 'add' | 'wait' | undefined;
}

/** The same for a single handler, which does not know its server. */
export interface ToolHandlerOptions extends ServerHookOptions {
  /** The server that the handler is set on: its transport tells when a result was sent. Needed with a mailbox. */
  readonly server?: Pick<Server, 'transport' | 'getClientVersion'> | undefined;
  /** The tools that the server lists: inputs that hooks have rewritten are checked against their schemas. */
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

/** The host's own id of a call, where it tells. */
const TOOL_USE_ID = 'claudecode/toolUseId';

/**
 * A handler that asks the runner before each call and tells it after; items of the mailbox travel with the results.
 * Throws a HookError for options that do not fit together.
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
    throw invalid('A mailbox was given without `agentId`: say whose items are to be delivered.');
  if (mailbox !== undefined && server === undefined)
    throw invalid(
      'A mailbox was given without `server`: only its transport tells when items have been sent.',
    );
  if (!['auto', 'add', 'wait'].includes(partlyShown))
    throw invalid(`\`partlyShown\` is ${show(partlyShown)}; one of auto, add, wait was expected.`);
  return async (request, extra) => {
    // What is no call at all is refused by those who know how.
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
    // A task's result is sent by other ways, which nobody here can watch.
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

/** Adds the items that wait, and ends their leases when the result is sent, or is not. */
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
  const told = fieldOf(params._meta, TOOL_USE_ID);
  return typeof told === 'string' ? told : `mcp-${randomUUID()}`;
}

const invalid = (message: string): HookError => new HookError('invalid_option', message);
