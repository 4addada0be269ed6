/** Hooks and injection for agents that call `@anthropic-ai/sdk` themselves, or use its tool runner. */
import { HookError, messageOf, show } from '../../base/errors.js';
import {
  createSession,
  type HookSession,
  type SessionOptions,
  type ToolEnd,
  type ToolInput,
} from '../session/index.js';
import { finishTurn, type RunEnding, runTurns } from '../session/run-turns.js';
import { fieldOf } from '../tool-content.js';
import type { HostMessage, Reply, RunnableTool, ToolRunnerLike, ToolUse, Turn } from './host.js';
import { outputWith, textOf, toolUsesOf, userMessage, withTexts } from './messages.js';

/** How a run ended. */
export type RunEnd<Message, Last> = RunEnding & {
  /** The whole conversation, with everything that hooks and people have said. Keep it for the next run. */
  readonly messages: Message[];
  /** The last answer of the model; absent if there was none. */
  readonly message?: Last;
};

/** Aborts a run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The error of a call that hooks or rules have refused. The model reads its message. */
export class ToolRefusedError extends Error {
  override readonly name = 'ToolRefusedError';
}

/**
 * One conversation. Make it with `createHooks`. `Message` is the SDK's `MessageParam`. Methods that call the SDK reject
 * with its errors; the others never throw.
 */
export class AnthropicHooks<Message = never> {
  readonly #options: SessionOptions;
  readonly #session: HookSession;
  #messages: HostMessage[] = [];
  #calls = 0;

  /** Use `createHooks`. */
  constructor(options: SessionOptions, session: HookSession) {
    this.#options = options;
    this.#session = session;
  }

  /** The conversation so far, also after a run that has failed: `resume` sends it again. */
  get messages(): Message[] {
    return [...this.#messages] as Message[];
  }

  /**
   * Runs a prompt, or a conversation that ends with one, with tools of your own:
   * `run(prompt, tools, (turn) => client.messages.create({ model, max_tokens, ...turn }))`. For a stream, return its
   * `finalMessage()`. Rejects with the errors of the SDK.
   */
  async run<Last extends Reply, Tool extends RunnableTool>(
    prompt: string | readonly Message[],
    tools: readonly Tool[],
    request: (turn: Turn<Message, Tool>) => Last | PromiseLike<Last>,
    options: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    return (await this.#begin(prompt, options)) ?? this.resume(tools, request, options);
  }

  /** Sends the conversation again after an error of the SDK. */
  async resume<Last extends Reply, Tool extends RunnableTool>(
    tools: readonly Tool[],
    request: (turn: Turn<Message, Tool>) => Last | PromiseLike<Last>,
    { signal }: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    const { result, ...end } = await runTurns<Last>(
      this.#session,
      {
        call: () => this.#requests(tools, request, signal),
        interruption: () => undefined,
        lastMessage: textOf,
        say: (text) => void this.#messages.push(userMessage(text)),
      },
      signal,
    );
    return { ...end, messages: this.messages, message: result };
  }

  /** Tools for the SDK's `toolRunner`, with hooks around `run`. */
  tools<T extends object>(tools: readonly T[]): T[] {
    return tools.map((tool) =>
      'run' in tool ? (this.#hooked(tool as unknown as RunnableTool) as unknown as T) : tool,
    );
  }

  /**
   * Runs a prompt with the SDK's tool runner:
   * `runTools(prompt, (messages) => client.beta.messages.toolRunner({ model, max_tokens, tools, messages }))`.
   * `onMessage` gets every message, or every stream, as the runner yields it. Rejects with the errors of the SDK.
   */
  async runTools<Item>(
    prompt: string | readonly Message[],
    makeRunner: (messages: Message[]) => ToolRunnerLike<Item>,
    options: RunOptions & { readonly onMessage?: (item: Item) => unknown } = {},
  ): Promise<RunEnd<Message, Reply>> {
    return (await this.#begin(prompt, options)) ?? this.resumeTools(makeRunner, options);
  }

  /** Sends the conversation again with a new tool runner, after an error of the SDK. */
  async resumeTools<Item>(
    makeRunner: (messages: Message[]) => ToolRunnerLike<Item>,
    { signal, onMessage }: RunOptions & { readonly onMessage?: (item: Item) => unknown } = {},
  ): Promise<RunEnd<Message, Reply>> {
    const runner = makeRunner(this.messages);
    let message: Reply | undefined;
    let ending: RunEnding | undefined;
    let sent = this.#session.request();
    try {
      for await (const item of runner) {
        await onMessage?.(item);
        message = await replyOf(item);
        sent.answered();
        ending = await this.#follow(runner, message, signal);
        if (ending !== undefined) break;
        sent = this.#session.request();
      }
    } finally {
      this.#messages = [...runner.params.messages] as HostMessage[];
    }
    const last = message && { message };
    return { ...(ending ?? { status: 'step_limit' }), messages: this.messages, ...last };
  }

  /** Hooks of a subagent: a tool that calls the SDK itself. Items of `agentId` reach it, if given. */
  subagent({ type, id, agentId }: { type: string; id: string; agentId?: string }): AnthropicHooks<Message> {
    return new AnthropicHooks<Message>(this.#options, this.#session.subagent({ id, type, agentId }));
  }

  /** Releases undelivered items and fires SessionEnd, once. */
  async end(reason?: string): Promise<void> {
    await this.#session.end(reason);
  }

  /** The same as `end`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #begin(prompt: string | readonly Message[], { signal }: RunOptions) {
    const given = typeof prompt === 'string' ? [] : [...(prompt as readonly HostMessage[])];
    const message = typeof prompt === 'string' ? userMessage(prompt) : given.pop();
    if (message?.role !== 'user')
      throw new HookError(
        'invalid_input',
        `The last message is ${show(message?.role)}; end with the message of a user, or call \`resume\`.`,
      );
    const before = typeof prompt === 'string' ? this.#messages : given;
    const said = await this.#session.prompt(textOf(message), { signal });
    this.#messages = said.blocked ? before : [...before, withTexts(message, said.texts)];
    return said.blocked
      ? { status: 'blocked' as const, reason: said.reason, messages: this.messages }
      : undefined;
  }

  /** Requests until the model calls no more tools, or a hook has ended the run. */
  async #requests<Last extends Reply, Tool extends RunnableTool>(
    tools: readonly Tool[],
    request: (turn: Turn<Message, Tool>) => Last | PromiseLike<Last>,
    signal: AbortSignal | undefined,
  ): Promise<Last> {
    const definitions = tools.map((tool) => {
      const { run: _, parse: __, close: ___, ...definition } = tool as Tool & { close?: unknown };
      return definition as Turn<Message, Tool>['tools'][number];
    });
    for (;;) {
      signal?.throwIfAborted();
      const sent = this.#session.request();
      const reply = await request({ messages: this.messages, tools: definitions });
      sent.answered();
      const said = { role: 'assistant', content: reply.content };
      const uses = toolUsesOf(reply);
      if (uses.length === 0) {
        this.#messages.push(said);
        // A turn that the API has paused is continued by sending it back.
        if (reply.stop_reason === 'pause_turn') continue;
        return reply;
      }
      const results = await Promise.all(uses.map((use) => this.#result(tools, use, signal)));
      this.#messages.push(said, userMessage(results));
      if (this.#session.halt !== undefined) return reply;
    }
  }

  async #result(
    tools: readonly RunnableTool[],
    use: ToolUse,
    signal: AbortSignal | undefined,
  ): Promise<object> {
    const tool = tools.find(({ name }) => name === use.name);
    const part = { type: 'tool_result', tool_use_id: use.id };
    if (tool === undefined) return { ...part, content: `There is no tool ${use.name}.`, is_error: true };
    try {
      const input = tool.parse === undefined ? use.input : tool.parse(use.input);
      return { ...part, content: outputOf(await this.#run(tool, input, { id: use.id, signal })) };
    } catch (error) {
      signal?.throwIfAborted();
      return { ...part, content: messageOf(error), is_error: true };
    }
  }

  #run(
    tool: RunnableTool,
    input: unknown,
    { id, signal, context }: { id: string; signal?: AbortSignal | undefined; context?: unknown },
  ): Promise<ToolEnd<unknown>> {
    const run = tool.run as unknown as (input: unknown, context?: unknown) => unknown;
    return this.#session.run({
      name: tool.name,
      input: input as ToolInput,
      id,
      signal,
      check: (changed) => whyUnreadable(tool, changed),
      run: (final) => run(final, context),
    });
  }

  #hooked(tool: RunnableTool): RunnableTool {
    return {
      ...tool,
      run: async (input: unknown, context?: { toolUseBlock?: ToolUse; signal?: AbortSignal | null }) => {
        this.#calls += 1;
        const id = context?.toolUseBlock?.id ?? `call-${this.#calls}`;
        const signal = context?.signal ?? undefined;
        return outputOf(await this.#run(tool, input, { id, signal, context }));
      },
    };
  }

  /** Runs the tools that the model has called, or fires Stop. Undefined: the runner makes the next request. */
  async #follow<Item>(
    runner: ToolRunnerLike<Item>,
    reply: Reply,
    signal: AbortSignal | undefined,
  ): Promise<RunEnding | undefined> {
    signal?.throwIfAborted();
    if (toolUsesOf(reply).length > 0) {
      // The runner uses this response; it is made here so that the run can be ended before the next request.
      await runner.generateToolResponse(signal);
      signal?.throwIfAborted();
      const { halt } = this.#session;
      return halt && { status: 'halted', reason: halt.stopReason };
    }
    if (reply.stop_reason === 'pause_turn') return undefined;
    const turn = await finishTurn([this.#session], async () => textOf(reply), signal);
    if (!('texts' in turn)) return turn;
    const messages = [{ role: 'assistant', content: reply.content }, userMessage(turn.texts.join('\n\n'))];
    runner.pushMessages(...(messages as never[]));
    return undefined;
  }
}

/** What the model reads as the result. A refusal and a failure are errors. */
function outputOf(end: ToolEnd<unknown>): unknown {
  if (end.status === 'refused') throw new ToolRefusedError([end.reason, ...end.texts].join('\n\n'));
  if ('updatedOutput' in end) return outputWith(end.updatedOutput, end.texts);
  if (!('error' in end)) return outputWith(end.result, end.texts);
  throw new Error([messageOf(end.error), ...end.texts].join('\n\n'), { cause: end.error });
}

function whyUnreadable({ parse }: RunnableTool, input: ToolInput): string | undefined {
  try {
    parse?.(input);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A runner yields messages, or streams of them. */
async function replyOf(item: unknown): Promise<Reply> {
  const finalMessage = fieldOf(item, 'finalMessage');
  return (typeof finalMessage === 'function' ? await finalMessage.call(item) : item) as Reply;
}

/** Makes the hooks of one conversation on `@anthropic-ai/sdk`. Throws a `HookError` for invalid options. */
export function createHooks<Message = never>(options: SessionOptions): AnthropicHooks<Message> {
  return new AnthropicHooks<Message>(options, createSession(options));
}
