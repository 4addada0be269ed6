/** Hooks and injection for agents made with LangChain's `createAgent`: one middleware. */
import { HookError, messageOf } from '../../base/errors.js';
import { checkWithSchema } from '../check-input.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type SessionOptions, type ToolEnd, type ToolInput } from '../session/index.js';
import { finishTurn, type RunEnding } from '../session/run-turns.js';
import { fieldOf } from '../tool-content.js';
import type { HostMessage, HostState, MiddlewareConfig, ToolRequest, ToolRuntime, Update } from './host.js';
import { addTexts, isFailed, lastIs, replaceContent, textOf } from './messages.js';

/** The question of a hook, as LangGraph's `interrupt` hands it to a person. Resume with `{ approved }`. */
export interface ToolApproval {
  readonly type: 'tool_approval';
  readonly toolName: string;
  /** Includes changes by hooks. */
  readonly input: ToolInput;
  readonly reason: string | undefined;
}

/** One conversation. Make it with `createHooks`. Its methods never throw. */
export class LangchainHooks extends Conversation<SessionOptions> {
  /** Texts that had no place in the result of a tool. */
  #pending: string[] = [];
  /** The calls and messages that carry something that the model has not been seen to answer. */
  #carriers = new Set<string>();
  #ending: RunEnding | undefined;

  /**
   * How the last run ended: `blocked` and `halted` have a reason. Undefined if it has not: it is running, it waits for
   * a person, it has failed, or it was aborted.
   */
  get ending(): RunEnding | undefined {
    return this.#ending;
  }

  /** For `createMiddleware`: `createAgent({ model, tools, middleware: [createMiddleware(hooks.middleware)] })`. */
  get middleware(): MiddlewareConfig {
    return {
      name: 'hookline',
      beforeAgent: { hook: (state) => this.#begin(state), canJumpTo: ['end'] },
      beforeModel: { hook: () => this.#beforeModel(), canJumpTo: ['end'] },
      afterAgent: { hook: (state) => this.#stop(state), canJumpTo: ['model'] },
      wrapModelCall: (request, handler) => this.#callModel(() => handler(request)),
      wrapToolCall: (request, handler) => this.#callTool(request, handler),
    };
  }

  async #begin({ messages }: HostState): Promise<Update | undefined> {
    this.#ending = undefined;
    await this.#releaseDropped(messages as readonly HostMessage[]);
    const prompt = messages.at(-1) as HostMessage | undefined;
    if (prompt === undefined || !lastIs(messages, 'human')) return undefined;
    const said = await this.session.prompt(textOf(prompt.content));
    if (said.blocked) {
      this.#ending = { status: 'blocked', reason: said.reason };
      // It does not stay in the conversation.
      return { jumpTo: 'end', messages: [{ type: 'remove', id: prompt.id }] as never[] };
    }
    return said.texts.length === 0 ? undefined : { messages: [this.#say(said.texts)] as never[] };
  }

  async #beforeModel(): Promise<Update | undefined> {
    const { halt } = this.session;
    if (halt !== undefined) {
      this.#ending = { status: 'halted', reason: halt.stopReason };
      return { jumpTo: 'end' };
    }
    if (this.#pending.length === 0) return undefined;
    return { messages: [this.#say(this.#pending.splice(0))] as never[] };
  }

  async #callModel<Response>(call: () => Response | Promise<Response>): Promise<Response> {
    const request = this.session.request();
    const response = await call();
    request.answered();
    this.#carriers.clear();
    return response;
  }

  async #callTool<Request extends ToolRequest, Response>(
    request: Request,
    handler: (request: Request) => Response | Promise<Response>,
  ): Promise<Response> {
    const { toolCall, tool, runtime = {} } = request;
    const { signal } = runtime as ToolRuntime;
    const call = {
      name: toolCall.name,
      input: toolCall.args as ToolInput,
      id: toolCall.id ?? toolCall.name,
      signal,
      check: (changed: ToolInput) => checkWithSchema(fieldOf(tool, 'schema'), changed),
      failureIn: (result: unknown) => (isFailed(result) ? textOf(fieldOf(result, 'content')) : undefined),
      responseOf: (result: unknown) => fieldOf(result, 'content') ?? result,
    };
    const { behavior, input, reason } = await this.session.judge({ ...call, run: () => undefined });
    const approved =
      behavior === 'ask' && askPerson(runtime as ToolRuntime, { toolName: call.name, input, reason });
    const end = await this.session.run<Response>(
      {
        ...call,
        pauses: isPause,
        run: (final) => handler({ ...request, toolCall: { ...toolCall, args: final } }),
      },
      { approved },
    );
    return this.#show(end, call.id, (text) => messageOfText(text, request, handler));
  }

  /** The message that the model reads. */
  async #show<Response>(
    end: ToolEnd<Response>,
    id: string,
    makeMessage: (text: string) => Promise<Response>,
  ): Promise<Response> {
    const { texts } = end;
    if (texts.length > 0) this.#carriers.add(id);
    if (end.status === 'refused' || 'error' in end) {
      const text = end.status === 'refused' ? end.reason : messageOf(end.error);
      const message = await makeMessage([text, ...texts].join('\n\n'));
      if (typeof message === 'object' && message !== null) Reflect.set(message, 'status', 'error');
      return message;
    }
    const message = end.result as Response;
    if ('updatedOutput' in end) replaceContent(message, end.updatedOutput);
    // A command has no text of its own.
    if (!addTexts(message, texts)) this.#pending.push(...texts);
    return message;
  }

  async #stop({ messages }: HostState): Promise<Update | undefined> {
    const { halt } = this.session;
    if (halt !== undefined) this.#ending = { status: 'halted', reason: halt.stopReason };
    else if (!lastIs(messages, 'ai')) this.#ending ??= { status: 'completed' };
    if (halt !== undefined || !lastIs(messages, 'ai')) return undefined;
    const lastMessage = textOf((messages.at(-1) as HostMessage).content);
    const turn = await finishTurn([this.session], async () => lastMessage, undefined);
    if ('texts' in turn) return { messages: [this.#say(turn.texts)] as never[], jumpTo: 'model' };
    this.#ending = turn;
    return undefined;
  }

  #say(texts: readonly string[]): { role: 'user'; content: string } {
    const content = texts.join('\n\n');
    this.#carriers.add(content);
    return { role: 'user', content };
  }

  /** The caller may have dropped the conversation of a run that failed; what it carried goes back to the mailbox. */
  async #releaseDropped(messages: readonly HostMessage[]): Promise<void> {
    const kept = new Set(messages.flatMap(({ tool_call_id, content }) => [tool_call_id, content]));
    const isDropped = [...this.#carriers].some((carrier) => !kept.has(carrier));
    this.#carriers.clear();
    if (isDropped) await this.session.release();
  }
}

/** No tool has it. */
const NO_TOOL = 'hookline_no_tool';

/**
 * The framework makes the message of a call that has not run, or has failed. It is asked to run a tool that gives the
 * text, under a name that no tool has: middleware that brings its own tools, or a version that runs the registered
 * one, must not run the real tool.
 */
async function messageOfText<Request extends ToolRequest, Response>(
  text: string,
  request: Request,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const { toolCall } = request;
  let isAsked = false;
  const invoke = async (): Promise<string> => {
    isAsked = true;
    return text;
  };
  try {
    const tool = { name: toolCall.name, invoke };
    return await handler({ ...request, toolCall: { ...toolCall, name: NO_TOOL }, tool });
  } catch (cause) {
    if (isAsked) throw cause;
    throw new HookError(
      'refused',
      `langchain 1.3 or later is needed to tell the model why ${toolCall.name} has no result, so the run ends here. ${text}`,
      { cause },
    );
  }
}

/** Throws LangGraph's interrupt the first time; returns the answer when the run is resumed. Nobody to ask: false. */
function askPerson({ interrupt }: ToolRuntime, question: Omit<ToolApproval, 'type'>): boolean {
  if (typeof interrupt !== 'function') return false;
  try {
    return (
      fieldOf(interrupt({ type: 'tool_approval', ...question } satisfies ToolApproval), 'approved') === true
    );
  } catch (error) {
    if (isPause(error)) throw error;
    return false;
  }
}

/** LangGraph's interrupts and commands: they end the run, which begins again at this call. */
const isPause = (error: unknown): boolean => fieldOf(error, 'is_bubble_up') === true;

/** Makes the hooks of one conversation with LangChain. Throws a `HookError` for invalid options. */
export function createHooks(options: SessionOptions): LangchainHooks {
  return new LangchainHooks(options, createSession({ ...options, ask: options.ask ?? 'host' }));
}
