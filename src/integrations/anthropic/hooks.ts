/** Hooks and injection for agents that call `@anthropic-ai/sdk` themselves, or use its tool runner. */
import { beginRun, type PromptForm } from '../session/begin-run.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type SessionOptions } from '../session/index.js';
import { definitionsOf, outputOf, type RunnableTool, runOwnLoop, runTool } from '../session/own-loop.js';
import { finishTurn, type RunEnding, runTurns } from '../session/run-turns.js';
import { fieldOf } from '../tool-content.js';
import type { HostMessage, Reply, ToolRunnerLike, ToolUse, Turn } from './host.js';
import { outputWith, textOf, toolUsesOf, userMessage, WIRE, withTexts } from './messages.js';

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

const PROMPT: PromptForm<HostMessage> = { make: userMessage, textOf, withTexts };

/**
 * One conversation. Make it with `createHooks`. `Message` is the SDK's `MessageParam`. Methods that call the SDK reject
 * with its errors; the others never throw.
 */
export class AnthropicHooks<Message = never> extends Conversation<SessionOptions> {
  #messages: HostMessage[] = [];
  #calls = 0;

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
      this.session,
      {
        call: () =>
          runOwnLoop<HostMessage, Last>({
            session: this.session,
            wire: WIRE,
            messages: this.#messages,
            tools,
            signal,
            request: () => request({ messages: this.messages, tools: definitionsOf(tools) }),
          }),
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
    let sent = this.session.request();
    try {
      for await (const item of runner) {
        await onMessage?.(item);
        message = await replyOf(item);
        sent.answered();
        ending = await this.#follow(runner, message, signal);
        if (ending !== undefined) break;
        sent = this.session.request();
      }
    } catch (error) {
      await this.session.releaseUnsent();
      throw error;
    } finally {
      this.#messages = [...runner.params.messages] as HostMessage[];
    }
    const last = message && { message };
    return { ...(ending ?? { status: 'step_limit' }), messages: this.messages, ...last };
  }

  async #begin(prompt: string | readonly Message[], { signal }: RunOptions) {
    const run = await beginRun(this.session, PROMPT, prompt, { soFar: this.#messages, signal });
    this.#messages = run.messages;
    return run.blocked && { ...run.blocked, messages: this.messages };
  }

  #hooked(tool: RunnableTool): RunnableTool {
    return {
      ...tool,
      run: async (input: unknown, context?: { toolUseBlock?: ToolUse; signal?: AbortSignal | null }) => {
        this.#calls += 1;
        const id = context?.toolUseBlock?.id ?? `call-${this.#calls}`;
        const signal = context?.signal ?? undefined;
        return outputOf(await runTool(this.session, tool, input, { id, signal, context }), outputWith);
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
      const { halt } = this.session;
      return halt && { status: 'halted', reason: halt.stopReason };
    }
    if (reply.stop_reason === 'pause_turn') return undefined;
    const turn = await finishTurn([this.session], async () => textOf(reply), signal);
    if (!('texts' in turn)) return turn;
    const messages = [{ role: 'assistant', content: reply.content }, userMessage(turn.texts.join('\n\n'))];
    runner.pushMessages(...(messages as never[]));
    return undefined;
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
