/** Hooks and injection for agents on the AI SDK: `generateText`, `streamText`, `ToolLoopAgent`. */
import { beginRun } from '../session/begin-run.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type HookSession, type ModelRequest, type SessionOptions } from '../session/index.js';
import { type RunEnding, runTurns } from '../session/run-turns.js';
import { hookTool } from './hooked-tool.js';
import type {
  HostMessage,
  HostResult,
  HostStream,
  HostTool,
  StepOptions,
  StepSettings,
  Turn,
} from './host.js';
import { isWaiting, textOfMessage, userMessage, withTexts } from './messages.js';
import { HookedStream } from './stream.js';

/** How hooks run in an agent on the AI SDK. `ask` defaults to the host's own approval of tool calls. */
export interface AiSdkOptions extends SessionOptions {
  /** When to end a run although the model calls tools: conditions of the host. Default: after 20 steps. */
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
}

/** A stop condition of the host, such as `stepCountIs(10)`. */
export type StopCondition = (options: { steps: never[] }) => unknown;

/** How a run ended. */
export type RunEnd<Result, Message> = RunEnding & {
  /** The whole conversation, with everything that hooks and people have said. Keep it for the next run. */
  readonly messages: Message[];
  /** What the host returned last; absent if the prompt was blocked. */
  readonly result?: Result;
};

/** Aborts a run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_STEPS = 20;

const PROMPT = { make: userMessage, textOf: textOfMessage, withTexts };

/**
 * One conversation. Make it with `createHooks`. `Message` is the host's `ModelMessage`. Methods that call the host reject
 * with its errors; the others never throw.
 */
export class AiSdkHooks<Message = never> extends Conversation<AiSdkOptions> {
  readonly #conditions: StepSettings['stopWhen'];
  #messages: HostMessage[] = [];
  #request: ModelRequest | undefined;
  #step: StepOptions | undefined;

  /** Use `createHooks`. */
  constructor(options: AiSdkOptions, session: HookSession) {
    super(options, session);
    const { stopWhen } = options;
    const own = stopWhen === undefined ? [stepLimit] : [stopWhen].flat();
    this.#conditions = own as unknown as StepSettings['stopWhen'];
  }

  /** The conversation so far, also after a run that has failed: `resume` sends it again. */
  get messages(): Message[] {
    return [...this.#messages] as Message[];
  }

  /** The same tools, with hooks around each one that has `execute`. */
  tools<T extends Readonly<Record<string, object>>>(tools: T): T {
    const hooked = Object.entries(tools).map(([name, tool]) => [
      name,
      hookTool(this.session, name, tool as HostTool),
    ]);
    return Object.fromEntries(hooked) as T;
  }

  /** What an agent is made with: `new ToolLoopAgent({ model, tools, ...hooks.settings })`. */
  get settings(): StepSettings {
    return {
      prepareStep: (step) => this.#beginStep(step),
      onStepFinish: () => this.#request?.answered(),
      stopWhen: [...this.#conditions, () => this.session.halt !== undefined],
    };
  }

  /**
   * Runs a prompt, or a conversation that ends with one: `run(prompt, (turn) => generateText({ model, tools, ...turn }))`.
   * The host is called again when hooks or waiting items make the agent continue. Rejects with the host's errors.
   */
  async run<Result extends HostResult>(
    prompt: string | readonly Message[],
    call: (turn: Turn<Message>) => Result | PromiseLike<Result>,
    options: RunOptions = {},
  ): Promise<RunEnd<Result, Message>> {
    return (await this.#begin(prompt, options)) ?? this.#turns(call, options);
  }

  /**
   * Continues the conversation without a new prompt: after an approval, with the messages that contain it, or after a
   * failed request.
   */
  async resume<Result extends HostResult>(
    messages: readonly Message[],
    call: (turn: Turn<Message>) => Result | PromiseLike<Result>,
    options: RunOptions = {},
  ): Promise<RunEnd<Result, Message>> {
    this.#messages = [...this.#messages, ...(messages as readonly HostMessage[])];
    return this.#turns(call, options);
  }

  /** Like `run`, with `streamText` or `agent.stream`: the parts of all turns arrive in one stream, errors too. */
  stream<Result extends HostStream>(
    prompt: string | readonly Message[],
    call: (turn: Turn<Message>) => Result | PromiseLike<Result>,
    options: RunOptions = {},
  ): HookedStream<Result, RunEnd<Result, Message>> {
    return new HookedStream(this.options.runner, async (follow) => {
      const blocked = await this.#begin(prompt, options);
      if (blocked !== undefined) return blocked;
      const streamed = async (turn: Turn<Message>): Promise<Result> => {
        const result = await call(turn);
        await follow(result, () => this.#request?.answered());
        return result;
      };
      return this.#turns(streamed, options);
    });
  }

  async #begin(prompt: string | readonly Message[], { signal }: RunOptions) {
    const run = await beginRun(this.session, PROMPT, prompt, { soFar: this.#messages, signal });
    this.#messages = run.messages;
    return run.blocked && { ...run.blocked, messages: this.messages };
  }

  async #turns<Result extends HostResult>(
    call: (turn: Turn<Message>) => Result | PromiseLike<Result>,
    { signal }: RunOptions,
  ): Promise<RunEnd<Result, Message>> {
    const end = await runTurns<Result>(
      this.session,
      {
        call: () => this.#turn(call, signal),
        interruption: () => {
          if (isWaiting(this.#messages)) return 'waiting';
          return this.#messages.at(-1)?.role === 'assistant' ? undefined : 'step_limit';
        },
        lastMessage: ({ text }) => text,
        say: (text) => void this.#messages.push(userMessage(text)),
      },
      signal,
    );
    return { ...end, messages: this.messages };
  }

  async #turn<Result extends HostResult>(
    call: (turn: Turn<Message>) => Result | PromiseLike<Result>,
    abortSignal: AbortSignal | undefined,
  ): Promise<Result> {
    const before = this.#messages;
    this.#step = undefined;
    this.#request = this.session.request();
    try {
      const result = await call({
        ...this.settings,
        messages: this.messages,
        ...(abortSignal && { abortSignal }),
      });
      const { messages } = await result.response;
      const sent = this.#lastStepOnly() ?? before;
      this.#messages = [...sent, ...messages] as HostMessage[];
      return result;
    } catch (error) {
      // What was sent stays, with the results of tools and the items in them.
      this.#messages = [...((this.#step as StepOptions | undefined)?.messages ?? before)] as HostMessage[];
      throw error;
    }
  }

  #beginStep(step: StepOptions): undefined {
    this.#request = this.session.request();
    this.#step = step;
    return undefined;
  }

  /** Since version 7 a result has the messages of the last step only; those before are what that step was sent. */
  #lastStepOnly(): readonly unknown[] | undefined {
    const step = this.#step;
    return step !== undefined && 'responseMessages' in step ? step.messages : undefined;
  }
}

const stepLimit = ({ steps }: { steps: readonly unknown[] }): boolean => steps.length >= DEFAULT_STEPS;

/** Makes the hooks of one conversation on the AI SDK. Throws a `HookError` for invalid options. */
export function createHooks<Message = never>(options: AiSdkOptions): AiSdkHooks<Message> {
  const { stopWhen: _, ...session } = options;
  return new AiSdkHooks<Message>(options, createSession({ ...session, ask: session.ask ?? 'host' }));
}
