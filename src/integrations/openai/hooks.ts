/** Hooks and injection for agents that call the package `openai` themselves: chat completions, and the Responses API. */
import { beginRun } from '../session/begin-run.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type SessionOptions } from '../session/index.js';
import { runOwnLoop } from '../session/own-loop.js';
import { type RunEnding, runTurns } from '../session/run-turns.js';
import type { ChatReply, ChatTurn, HostMessage, OpenaiTool, ResponsesReply, ResponsesTurn } from './host.js';
import { type Api, chat, responses, textOf, userMessage, withTexts } from './wires.js';

/** How a run ended. */
export type RunEnd<Message, Last> = RunEnding & {
  /** The whole conversation, with everything that hooks and people have said. Keep it for the next run. */
  readonly messages: Message[];
  /** What the model said last. */
  readonly text: string;
  /** The last answer of the API; absent if there was none. */
  readonly reply?: Last;
};

/** Aborts a run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

type Request<Turn, Last> = (turn: Turn) => Last | PromiseLike<Last>;

/**
 * One conversation. Make it with `createHooks`. `Message` is the SDK's `ChatCompletionMessageParam` or `ResponseInputItem`.
 * Methods that call the SDK reject with its errors; the others never throw.
 */
export class OpenaiHooks<Message = never> extends Conversation<SessionOptions> {
  #messages: HostMessage[] = [];

  /** The conversation so far, also after a run that has failed: `resumeChat` and `resumeResponses` send it again. */
  get messages(): Message[] {
    return [...this.#messages] as Message[];
  }

  /**
   * Runs a prompt, or a conversation that ends with one, with chat completions:
   * `runChat(prompt, tools, (turn) => client.chat.completions.create({ model, ...turn }))`. For a stream, return its
   * `finalChatCompletion()`.
   */
  async runChat<Last extends ChatReply>(
    prompt: string | readonly Message[],
    tools: readonly OpenaiTool[],
    request: Request<ChatTurn<Message>, Last>,
    options: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    const blocked = await this.#begin(prompt, chat.partType, options);
    return blocked ?? this.resumeChat(tools, request, options);
  }

  /** Sends the conversation again after an error of the SDK. */
  resumeChat<Last extends ChatReply>(
    tools: readonly OpenaiTool[],
    request: Request<ChatTurn<Message>, Last>,
    options: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    return this.#turns(chat as Api<Last, ChatTurn<HostMessage>>, tools, request as never, options);
  }

  /**
   * Runs a prompt, or a conversation that ends with one, with the Responses API:
   * `runResponses(prompt, tools, (turn) => client.responses.create({ model, ...turn }))`. For a stream, return its
   * `finalResponse()`.
   */
  async runResponses<Last extends ResponsesReply>(
    prompt: string | readonly Message[],
    tools: readonly OpenaiTool[],
    request: Request<ResponsesTurn<Message>, Last>,
    options: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    const blocked = await this.#begin(prompt, responses.partType, options);
    return blocked ?? this.resumeResponses(tools, request, options);
  }

  /** Sends the conversation again after an error of the SDK. */
  resumeResponses<Last extends ResponsesReply>(
    tools: readonly OpenaiTool[],
    request: Request<ResponsesTurn<Message>, Last>,
    options: RunOptions = {},
  ): Promise<RunEnd<Message, Last>> {
    return this.#turns(responses as Api<Last, ResponsesTurn<HostMessage>>, tools, request as never, options);
  }

  async #begin(prompt: string | readonly Message[], partType: string, { signal }: RunOptions) {
    const form = { make: userMessage, textOf, withTexts: withTexts(partType) };
    const run = await beginRun<HostMessage>(this.session, form, prompt, { soFar: this.#messages, signal });
    this.#messages = run.messages;
    return run.blocked && { ...run.blocked, messages: this.messages, text: '' };
  }

  async #turns<Last, Turn>(
    api: Api<Last, Turn>,
    tools: readonly OpenaiTool[],
    request: Request<Turn, Last>,
    { signal }: RunOptions,
  ): Promise<RunEnd<Message, Last>> {
    const { result, ...end } = await runTurns<Last>(
      this.session,
      {
        call: () =>
          runOwnLoop<HostMessage, Last>({
            session: this.session,
            wire: api.wire,
            messages: this.#messages,
            tools,
            signal,
            request: () => request(api.turn(this.#messages, tools)),
          }),
        interruption: () => undefined,
        lastMessage: api.textOf,
        say: (text) => void this.#messages.push(userMessage(text)),
      },
      signal,
    );
    return { ...end, messages: this.messages, text: api.textOf(result), reply: result };
  }
}

/** Makes the hooks of one conversation on `openai`. Throws a `HookError` for invalid options. */
export function createHooks<Message = never>(options: SessionOptions): OpenaiHooks<Message> {
  return new OpenaiHooks<Message>(options, createSession(options));
}
