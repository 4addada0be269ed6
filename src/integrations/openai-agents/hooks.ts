/** Hooks and injection for agents on `@openai/agents`. */
import { beginRun } from '../session/begin-run.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type HookSession, type ModelRequest, type SessionOptions } from '../session/index.js';
import { type HostTurns, type RunEnding, runTurns } from '../session/run-turns.js';
import { hookFunctionTool, hookOptions, type ToolHost } from './hooked-tool.js';
import type {
  FunctionToolLike,
  HostAgent,
  HostItem,
  HostResult,
  ToolOptionsLike,
  TurnOptions,
} from './host.js';
import { Inserted, textOfItem, userItem, withTexts } from './items.js';

/** How a run ended. */
export type RunEnd<Result, Item> = RunEnding & {
  /** The whole conversation, with everything that hooks and people have said. Keep it for the next run. */
  readonly history: Item[];
  /** What the host returned last; absent if the prompt was blocked, or the run was ended by a hook. */
  readonly result?: Result;
};

/** Calls the host's `run` once: `(agent, input, options) => run(agent, input, options)`. */
export type Call<Agent, Item, Result> = (
  agent: Agent,
  input: Item[],
  options: TurnOptions<Item>,
) => Result | PromiseLike<Result>;

const PROMPT = { make: userItem, textOf: textOfItem, withTexts };

/** Aborts a run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * One conversation. Make it with `createHooks`. `Item` is the host's `AgentInputItem`. Methods that call the host reject
 * with its errors; the others never throw.
 */
export class OpenaiAgentsHooks<Item = never> extends Conversation<SessionOptions> {
  readonly #tools: ToolHost;
  /** One for each agent that was handed the conversation. */
  readonly #handoffs = new Map<string, HookSession>();
  #history: HostItem[] = [];
  #inserted = new Inserted();
  #sent: HostItem[] | undefined;
  #request: ModelRequest | undefined;
  /** The name of the agent that the prompt was given to. */
  #first: string | undefined;
  /** The session of the agent at work. */
  #current: HookSession;
  /** The session of the last agent that was handed the conversation since the prompt. */
  #inner: HookSession | undefined;
  #calls = 0;

  /** Use `createHooks`. */
  constructor(options: SessionOptions, session: HookSession) {
    super(options, session);
    this.#current = session;
    this.#tools = {
      session: () => this.#current,
      onCall: () => this.#request?.answered(),
      nextId: () => {
        this.#calls += 1;
        return `call-${this.#calls}`;
      },
    };
  }

  /** The conversation so far, also after a run that has failed: `resume` sends it again. */
  get history(): Item[] {
    return [...this.#history] as Item[];
  }

  /** Options for the host's `tool()`, with hooks around `execute`: `tool(hooks.tool({ … }))`. */
  tool<T extends ToolOptionsLike>(options: T): T {
    return hookOptions(this.#tools, options);
  }

  /** Tools that exist already, such as those of MCP servers and other agents, with hooks. Hosted tools stay as they are. */
  tools<T extends object>(tools: readonly T[]): T[] {
    return tools.map((tool) => (isFunctionTool(tool) ? (hookFunctionTool(this.#tools, tool) as T) : tool));
  }

  /**
   * Runs a prompt, or a conversation that ends with one. The host is called again when hooks or waiting items make the
   * agent continue. Rejects with the host's errors.
   */
  async run<Agent extends HostAgent, Result extends HostResult>(
    agent: Agent,
    prompt: string | readonly Item[],
    call: Call<Agent, Item, Result>,
    { signal }: RunOptions = {},
  ): Promise<RunEnd<Result, Item>> {
    this.#first = agent.name;
    this.#current = this.session;
    this.#inner = undefined;
    const begun = await beginRun(this.session, PROMPT, prompt, { soFar: this.#history, signal });
    this.#history = begun.messages;
    if (begun.blocked !== undefined) return { ...begun.blocked, history: this.history };
    return this.#turns(agent, call, signal);
  }

  /** Sends the conversation again after an error of the host, or continues a state with its approvals and rejections. */
  async resume<Agent extends HostAgent, Result extends HostResult>(
    agent: Agent,
    call: Call<Agent, Item, Result>,
    { signal, state }: RunOptions & { readonly state?: Result['state'] | undefined } = {},
  ): Promise<RunEnd<Result, Item>> {
    this.#first ??= agent.name;
    return this.#turns(agent, call, signal, state);
  }

  /** Releases undelivered items and fires SessionEnd, once. */
  override async end(reason?: string): Promise<void> {
    for (const session of this.#handoffs.values()) await session.end();
    await super.end(reason);
  }

  async #turns<Agent extends HostAgent, Result extends HostResult>(
    first: Agent,
    call: Call<Agent, Item, Result>,
    signal: AbortSignal | undefined,
    state?: object,
  ): Promise<RunEnd<Result, Item>> {
    let agent = first;
    let resumed = state;
    const host: HostTurns<Result> = {
      call: async () => {
        const result = await this.#turn(agent, call, signal, resumed);
        resumed = undefined;
        agent = (result.lastAgent as Agent | undefined) ?? agent;
        return result;
      },
      inner: () => this.#inner,
      interruption: ({ interruptions = [] }) => (interruptions.length > 0 ? 'waiting' : undefined),
      lastMessage: ({ finalOutput }) => textOfOutput(finalOutput),
      say: (text) => void this.#history.push(userItem(text)),
    };
    try {
      const end = await runTurns(this.session, host, signal);
      return { ...end, history: this.history };
    } catch (error) {
      const halt = this.#halt;
      if (halt === undefined || signal?.aborted === true) throw error;
      return { status: 'halted', reason: halt.stopReason, history: this.history };
    }
  }

  async #turn<Agent extends HostAgent, Result extends HostResult>(
    agent: Agent,
    call: Call<Agent, Item, Result>,
    signal: AbortSignal | undefined,
    state: object | undefined,
  ): Promise<Result> {
    if (state === undefined) this.#inserted = new Inserted();
    this.#sent = undefined;
    // All that was said so far is in the history, even if the host fails before its first request.
    for (const session of this.#sessions) session.request();
    const options: TurnOptions<Item> = {
      callModelInputFilter: async ({ modelData, agent: current }) => {
        const input = await this.#beginRequest(modelData.input as HostItem[], current);
        return { ...modelData, input: input as Item[] };
      },
      ...(signal && { signal }),
    };
    try {
      const result = await call(agent, (state as Item[] | undefined) ?? this.history, options);
      await result.completed;
      this.#history = this.#inserted.apply(result.history as HostItem[]);
      return result;
    } catch (error) {
      // What was sent stays, with the results of tools and the items in them.
      this.#history = this.#sent ?? this.#history;
      throw error;
    }
  }

  get #sessions(): readonly HookSession[] {
    return this.#inner === undefined ? [this.session] : [this.#inner, this.session];
  }

  get #halt(): HookSession['halt'] {
    return this.#sessions.find((session) => session.halt !== undefined)?.halt;
  }

  async #beginRequest(input: HostItem[], current: HostAgent): Promise<HostItem[]> {
    if (current.name === this.#first) this.#current = this.session;
    else await this.#handOff(input, current);
    this.#sent = this.#inserted.apply(input);
    const halt = this.#halt;
    // The host has no other way to end a run without an answer.
    if (halt !== undefined) throw new Error(halt.stopReason);
    const requests = this.#sessions.map((session) => session.request());
    this.#request = {
      answered: () => {
        for (const request of requests) request.answered();
      },
    };
    return this.#sent;
  }

  /** An agent that is handed the conversation works as a subagent. */
  async #handOff(input: HostItem[], { name }: HostAgent): Promise<void> {
    const known = this.#handoffs.get(name);
    const { agentId = 'main' } = this.options;
    const session =
      known ?? this.session.subagent({ id: `${name}-${this.#handoffs.size + 1}`, type: name, agentId });
    this.#current = session;
    this.#inner = session;
    if (known !== undefined) return;
    this.#handoffs.set(name, session);
    const said = await session.prompt('');
    if (!said.blocked && said.texts.length > 0) this.#inserted.add(input, userItem(said.texts.join('\n\n')));
  }
}

const isFunctionTool = (tool: object): tool is FunctionToolLike =>
  'type' in tool && tool.type === 'function' && 'invoke' in tool;

const textOfOutput = (output: unknown): string | undefined =>
  output === undefined || typeof output === 'string' ? output : JSON.stringify(output);

/** Makes the hooks of one conversation on `@openai/agents`. Throws a `HookError` for invalid options. */
export function createHooks<Item = never>(options: SessionOptions): OpenaiAgentsHooks<Item> {
  return new OpenaiAgentsHooks<Item>(options, createSession({ ...options, ask: options.ask ?? 'host' }));
}
