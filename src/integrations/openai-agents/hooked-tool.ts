/** Tools of the host with their hooks around them. */
import { checkWithSchema } from '../check-input.js';
import type { HookSession, ToolCall, ToolEnd, ToolInput } from '../session/index.js';
import type { CallDetails, FunctionToolLike, RunContextLike, ToolOptionsLike } from './host.js';
import { addTexts } from './tool-text.js';

/** What a call of a tool needs of its conversation. */
export interface ToolHost {
  /** The session of the agent that works now. */
  session(): HookSession;
  /** The model has called a tool, so it has answered. */
  onCall(): void;
  nextId(): string;
}

type Run = (input: ToolInput) => unknown;

/** What the model reads if a tool fails and has no `errorFunction`. The host has the same rule: no details of errors. */
const FAILED = 'An error occurred while running the tool. Please try again.';

/** A tool failed; its hooks have run. */
class FailedCall extends Error {
  readonly texts: readonly string[];

  constructor(cause: unknown, texts: readonly string[]) {
    super('The tool failed.', { cause });
    this.texts = texts;
  }
}

/** Options for `tool()`, with hooks around `execute`. */
export function hookOptions<T extends ToolOptionsLike>(host: ToolHost, options: T): T {
  const name = options.name ?? options.execute.name;
  const execute = options.execute as unknown as (
    input: unknown,
    context?: unknown,
    details?: unknown,
  ) => unknown;
  const describe = (input: unknown, details: CallDetails | undefined): Omit<ToolCall<unknown>, 'run'> => ({
    ...callOf(host, name, input as ToolInput, details),
    check: (changed) => checkWithSchema(options.parameters, changed),
  });
  const { needsApproval, errorFunction = () => FAILED } = options;
  const showError = errorFunction as
    | ((context: unknown, error: unknown, details?: unknown) => unknown)
    | null;
  return {
    ...options,
    name,
    execute: async (input: unknown, context?: RunContextLike, details?: CallDetails) => {
      const end = await runCall(host, describe(input, details), context, (final) =>
        execute(final, context, details),
      );
      if ('error' in end) throw new FailedCall(end.error, end.texts);
      return outputOf(end);
    },
    errorFunction:
      showError === null
        ? null
        : async (context: unknown, error: unknown, details?: unknown) => {
            if (!(error instanceof FailedCall)) return showError(context, error, details);
            return addTexts(await showError(context, error.cause, details), error.texts);
          },
    needsApproval: (context: unknown, input: unknown, callId?: string) =>
      needsPerson(host, describe(input, detailsOf(callId)), async () =>
        typeof needsApproval === 'function'
          ? (await needsApproval(context, input, callId)) === true
          : needsApproval === true,
      ),
  };
}

/** A tool that exists already: of an MCP server, of another agent. Its errors are its own: it returns them as text. */
export function hookFunctionTool<T extends FunctionToolLike>(host: ToolHost, tool: T): T {
  const { name } = tool;
  const invoke = tool.invoke as unknown as (
    context: unknown,
    input: string,
    details?: unknown,
  ) => Promise<unknown>;
  const needsApproval = tool.needsApproval as unknown as (
    context: unknown,
    input: unknown,
    callId?: string,
  ) => Promise<boolean>;
  return {
    ...tool,
    invoke: async (context: RunContextLike, text: string, details?: CallDetails) => {
      const call = callOf(host, name, readInput(text), details);
      const end = await runCall(
        host,
        { ...call, failureIn: (result) => (result === FAILED ? FAILED : undefined) },
        context,
        (final) => invoke(context, final === call.input ? text : JSON.stringify(final), details),
      );
      if ('error' in end) throw end.error;
      return outputOf(end);
    },
    needsApproval: (context: unknown, input: unknown, callId?: string) =>
      needsPerson(host, callOf(host, name, input as ToolInput, detailsOf(callId)), () =>
        needsApproval(context, input, callId),
      ),
  };
}

const detailsOf = (callId: string | undefined): CallDetails =>
  callId === undefined ? {} : { toolCall: { callId } };

const callOf = (host: ToolHost, name: string, input: ToolInput, details: CallDetails = {}) => ({
  name,
  input,
  id: details.toolCall?.callId ?? host.nextId(),
  signal: details.signal,
});

async function runCall(
  host: ToolHost,
  call: Omit<ToolCall<unknown>, 'run'>,
  context: RunContextLike | undefined,
  run: Run,
): Promise<ToolEnd<unknown>> {
  host.onCall();
  const approved = context?.isToolApproved?.({ toolName: call.name, callId: call.id }) === true;
  return host.session().run({ ...call, run }, { approved });
}

async function needsPerson(
  host: ToolHost,
  call: Omit<ToolCall<unknown>, 'run'>,
  own: () => Promise<boolean>,
): Promise<boolean> {
  host.onCall();
  const { behavior } = await host.session().judge({ ...call, run: () => undefined });
  if (behavior === 'deny') return false;
  return behavior === 'ask' || own();
}

/** What the model reads of a call that has not thrown. */
function outputOf(end: Exclude<ToolEnd<unknown>, { error: unknown }>): unknown {
  if (end.status === 'refused') return [end.reason, ...end.texts].join('\n\n');
  return addTexts('updatedOutput' in end ? end.updatedOutput : end.result, end.texts);
}

/** What is no JSON object is left to the tool's own parser. */
function readInput(text: string): ToolInput {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === 'object' && input !== null ? (input as ToolInput) : { input };
  } catch {
    return { input: text };
  }
}
