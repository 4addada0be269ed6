/** Hooks and injection for agents on Mastra. */
import { beginRun } from '../session/begin-run.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type HookSession, type ModelRequest, type SessionOptions } from '../session/index.js';
import { type RunEnding, runTurns } from '../session/run-turns.js';
import { hookTool, type ToolHost } from './hooked-tool.js';
import type { HostMessage, HostResult, HostTool, TurnOptions } from './host.js';
import { textOf, userMessage, withTexts } from './messages.js';

/** How hooks run in an agent on Mastra. If a hook asks, the run is suspended unless `ask` is a function. */
export interface MastraOptions extends SessionOptions {
  /** When to end a run although the model calls tools: conditions of the host. Default: after 20 steps. */
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  /** The memory of the agent keeps the conversation, so that only what is new is sent to it. Default: false. */
  readonly memory?: boolean | undefined;
}

/** A stop condition of the host. */
export type StopCondition = (options: { steps: never[] }) => unknown;

/** How a run ended. */
export type RunEnd<Result, Message> = RunEnding & {
  /** The whole conversation, with everything that hooks and people have said; with `memory`, what is new. */
  readonly messages: Message[];
  /** What the host returned last; absent if the prompt was blocked. */
  readonly result?: Result;
};

/** Calls the agent once: `(messages, options) => agent.generate(messages, options)`. */
export type Call<Message, Result> = (
  messages: Message[],
  options: TurnOptions,
) => Result | PromiseLike<Result>;

/** Aborts a run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_STEPS = 20;

const PROMPT = { make: userMessage, textOf, withTexts };

/** One conversation. Make it with `createHooks`. Methods that call the host reject with its errors; the others never throw. */
export class MastraHooks<Message = never> extends Conversation<MastraOptions> {
  readonly #host: ToolHost;
  readonly #conditions: TurnOptions['stopWhen'];
  #messages: HostMessage[] = [];
  #request: ModelRequest | undefined;
  #sent: readonly object[] | undefined;
  #calls = 0;

  /** Use `createHooks`. */
  constructor(options: MastraOptions, session: HookSession) {
    super(options, session);
    const { stopWhen, ask = 'host' } = options;
    const own = stopWhen === undefined ? [stepLimit] : [stopWhen].flat();
    this.#conditions = own as unknown as TurnOptions['stopWhen'];
    this.#host = {
      session,
      asksHost: ask === 'host',
      nextId: () => {
        this.#calls += 1;
        return `call-${this.#calls}`;
      },
    };
  }

  /** The conversation so far, also after a run that has failed: `resume` sends it again. */
  get messages(): Message[] {
    return [...this.#messages] as Message[];
  }

  /** Tools with hooks around them. The keys are their names, as the model and matchers see them. */
  tools<T extends Readonly<Record<string, HostTool>>>(tools: T): T {
    const entries = Object.entries(tools).map(([name, tool]) => [name, hookTool(this.#host, name, tool)]);
    return Object.fromEntries(entries) as T;
  }

  /**
   * Runs a prompt, or a conversation that ends with one: `run(prompt, (...turn) => agent.generate(...turn))`. For a stream,
   * read it and return its `getFullOutput()`. Rejects with the host's errors.
   */
  async run<Result extends HostResult>(
    prompt: string | readonly Message[],
    call: Call<Message, Result>,
    { signal }: RunOptions = {},
  ): Promise<RunEnd<Result, Message>> {
    const soFar = this.options.memory === true ? [] : this.#messages;
    const begun = await beginRun<HostMessage>(this.session, PROMPT, prompt, { soFar, signal });
    this.#messages = begun.messages;
    if (begun.blocked !== undefined) return { ...begun.blocked, messages: this.messages };
    return this.resume(call, { signal });
  }

  /**
   * Sends the conversation again after an error of the host, or continues a run that waits for a person:
   * `resume((_, options) => agent.resumeGenerate({ approved: true }, { ...options, runId }))`.
   */
  async resume<Result extends HostResult>(
    call: Call<Message, Result>,
    { signal }: RunOptions = {},
  ): Promise<RunEnd<Result, Message>> {
    const end = await runTurns<Result>(
      this.session,
      {
        call: () => this.#turn(call, signal),
        interruption,
        lastMessage: ({ text }) => text,
        say: (text) => void this.#messages.push(userMessage(text)),
      },
      signal,
    );
    return { ...end, messages: this.messages };
  }

  async #turn<Result extends HostResult>(
    call: Call<Message, Result>,
    abortSignal: AbortSignal | undefined,
  ): Promise<Result> {
    this.#sent = undefined;
    this.#request = this.session.request();
    try {
      const result = await call(this.messages, {
        prepareStep: ({ messages }) => this.#beginStep(messages),
        onStepFinish: ({ finishReason }) => this.#endStep(finishReason),
        stopWhen: [...this.#conditions, () => this.session.halt !== undefined],
        ...(abortSignal && { abortSignal }),
      });
      if (result.error !== undefined) throw result.error;
      // A run that waits has no messages yet; they come when it is resumed.
      const said = (result.response?.messages ?? []) as HostMessage[];
      this.#messages = this.options.memory === true ? [] : [...this.#messages, ...said];
      return result;
    } catch (error) {
      // What was sent stays, with the results of tools and the items in them. A memory has it already.
      if (this.options.memory !== true)
        this.#messages = [...((this.#sent as HostMessage[] | undefined) ?? this.#messages)];
      throw error;
    }
  }

  #beginStep(messages: readonly object[] = []): undefined {
    this.#request = this.session.request();
    // The host goes on to change them.
    this.#sent = structuredClone(messages);
    return undefined;
  }

  /** The host finishes a step whose request has failed, too. */
  #endStep(finishReason: string | undefined): void {
    if (finishReason !== 'error') this.#request?.answered();
  }
}

function interruption({ finishReason, tripwire }: HostResult): 'waiting' | 'step_limit' | undefined {
  if (finishReason === 'suspended') return 'waiting';
  return finishReason === 'tool-calls' || tripwire ? 'step_limit' : undefined;
}

const stepLimit = ({ steps }: { steps: readonly unknown[] }): boolean => steps.length >= DEFAULT_STEPS;

/** Makes the hooks of one conversation on Mastra. Throws a `HookError` for invalid options. */
export function createHooks<Message = never>(options: MastraOptions): MastraHooks<Message> {
  const { stopWhen: _, memory: __, ...session } = options;
  return new MastraHooks<Message>(options, createSession({ ...session, ask: session.ask ?? 'host' }));
}
