/** One agent of a session: its identity, its working directory and its conversation with the model. */
import { remind } from '../../base/text/remind.js';
import type { ContentBlock, Model, ModelMessage, StopReason, ToolUseBlock } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import { type AddedText, addText } from '../transcript/added-text.js';
import { CallIds } from '../transcript/call-ids.js';
import type { NewAssistantLine, NewUserLine } from '../transcript/line.js';
import { replacedBlocks } from '../transcript/replaced-blocks.js';
import type { Transcript } from '../transcript/transcript.js';
import { Inbox } from './inbox.js';
import type { AgentLoopOptions } from './options.js';

/** Identifies a subagent. The main agent has no identity. */
export interface Identity {
  readonly id: string;
  readonly type: string;
  /** The id of the Agent tool call that started it. */
  readonly toolUseId: string;
  /** Its name in the team. */
  readonly name?: string | undefined;
}

export interface AgentParts {
  readonly identity?: Identity | undefined;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly system: string;
  readonly cwd: string;
  /** How often its model may be called for one prompt or task. */
  readonly maxTurns?: number | undefined;
  readonly transcript: Transcript | undefined;
  readonly messages?: readonly ModelMessage[];
  /** The token count of `messages`, if known. */
  readonly contextTokens?: number | undefined;
}

export type AnswerDetails = Pick<NewAssistantLine, 'id' | 'usage' | 'model'> & {
  /** Absent if the answer was cut short. */
  readonly stopReason?: StopReason;
};

export class Agent {
  readonly identity: Identity | undefined;
  readonly tools: readonly Tool[];
  readonly system: string;
  readonly maxTurns: number;
  readonly transcript: Transcript | undefined;
  /** Notices from other agents, read at the next safe point. */
  readonly inbox = new Inbox();
  cwd: string;
  /** What hooks say to the model; joins the conversation with the next request. */
  nextNotes: string[] = [];
  /** Added to the beginning of the next user message. */
  nextContext: AddedText[] = [];
  /** The size of the conversation, as last reported by the model. */
  contextTokens = 0;
  /** A smaller context window than expected, learned from an error of the service. */
  learnedWindow = Number.POSITIVE_INFINITY;
  /** How many tokens the service counts for one that is estimated. */
  tokensPerEstimate = 1;
  /** The answer filled the context window: compact before the next request. */
  mustCompact = false;
  /** The limit of answers, once it was raised. */
  maxTokens: number | undefined;
  lastText = '';
  /** What people see of the last answer, if hooks have changed it. */
  shownText: string | undefined;
  /** The last answer was cut off, and the next one continues it. */
  isCut = false;
  /** What the user asked last. */
  lastPrompt: readonly ContentBlock[] | undefined;
  #model: Model;
  #fallback: Model | undefined;
  readonly #callIds = new CallIds();
  #messages: ModelMessage[];

  constructor(parts: AgentParts) {
    this.identity = parts.identity;
    this.#model = parts.model;
    this.tools = parts.tools;
    this.system = parts.system;
    this.cwd = parts.cwd;
    this.maxTurns = parts.maxTurns ?? Number.POSITIVE_INFINITY;
    this.transcript = parts.transcript;
    this.#messages = [...(parts.messages ?? [])];
    this.contextTokens = parts.contextTokens ?? 0;
    for (const { content } of this.#messages)
      for (const block of content) if (block.type === 'tool_use') this.#callIds.claim(block);
  }

  get model(): Model {
    return this.#fallback ?? this.#model;
  }

  /** Takes effect with the next request. */
  setModel(model: Model): void {
    this.#model = model;
    this.#fallback = undefined;
  }

  /** Another model takes over until the next prompt. */
  fallBackTo(model: Model): void {
    this.#fallback = model;
  }

  /** Call this when the work on a prompt begins. */
  beginTurns(): void {
    this.#fallback = undefined;
    this.maxTokens = undefined;
    this.isCut = false;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get parentToolUseId(): string | null {
    return this.identity?.toolUseId ?? null;
  }

  /** Finds a tool by its name or one of its aliases. */
  findTool(name: string): Tool | undefined {
    return this.tools.find((tool) => tool.name === name || tool.aliases?.includes(name));
  }

  /** Gives a call of the model another id if the conversation already has its own. */
  claimCall(use: ToolUseBlock): ToolUseBlock {
    return this.#callIds.claim(use);
  }

  /** Adds the model's answer to the conversation. */
  answer(content: readonly ContentBlock[], details: AnswerDetails): void {
    // A paused answer goes on in the same message.
    const last = this.#messages.at(-1);
    if (last?.role === 'assistant') this.#messages.pop();
    const before = last?.role === 'assistant' ? last.content : [];
    this.#messages.push({ role: 'assistant', content: [...before, ...content] });
    void this.transcript?.append({ type: 'assistant', content, ...details });
  }

  /** Adds a user message, including any pending context. Tool results must come first. */
  appendUserMessage(
    content: readonly (ContentBlock | AddedText)[],
    line: Omit<NewUserLine, 'type' | 'content'> = {},
  ): void {
    const waiting = this.nextContext;
    this.nextContext = [];
    const results = content.filter(({ type }) => type === 'tool_result');
    const rest = content.filter(({ type }) => type !== 'tool_result');
    const whole = [...results, ...waiting, ...rest];
    if (line.promptId !== undefined && line.isMeta !== true && results.length === 0)
      this.lastPrompt = rest.filter((block) => block.type !== 'added');
    const last = this.#messages.at(-1);
    // Model services require alternating roles, so consecutive user messages are merged.
    if (last?.role === 'user') this.#messages.pop();
    const before = last?.role === 'user' ? last.content : [];
    this.#messages.push({ role: 'user', content: [...before, ...whole.map(asBlock)] });
    void this.transcript?.append({ type: 'user', content: whole, ...line });
  }

  /**
   * Adds what hooks say to the end of the conversation, where it stays: the system prompt and what came before are the same in
   * every request, so the service can cache them.
   */
  takeNotes(): void {
    // An answer that the service has paused must stay last.
    if (this.nextNotes.length === 0 || this.#messages.at(-1)?.role !== 'user') return;
    const notes = this.nextNotes.map((text) => addText(remind(text)));
    this.nextNotes = [];
    this.appendUserMessage(notes, { isMeta: true });
  }

  /** Adds content that was already sent to the model to the conversation. */
  keepSent(messages: readonly ModelMessage[], added: readonly ContentBlock[]): void {
    this.#messages = [...messages];
    void this.transcript?.append({ type: 'user', content: added, isMeta: true });
  }

  /** Tool calls that have no result yet. The conversation cannot continue until each has one. */
  openCalls(): readonly ToolUseBlock[] {
    const last = this.#messages.at(-1);
    return last?.role === 'assistant' ? last.content.filter((block) => block.type === 'tool_use') : [];
  }

  /** Replaces the conversation with a summary, followed by its last messages. */
  startFrom(
    summary: readonly ContentBlock[],
    tail: readonly ModelMessage[],
    trigger: 'manual' | 'auto',
    preTokens: number,
  ): void {
    this.#messages = [{ role: 'user', content: summary }, ...tail];
    this.contextTokens = 0;
    void this.transcript?.append({ type: 'compaction', trigger, preTokens, summary });
    this.#write(tail);
  }

  /** The transcript has more than the conversation: a resumed session continues from an earlier message. */
  writeAgain(): void {
    void this.transcript?.append({ type: 'clear' });
    this.#write(this.#messages);
  }

  #write(messages: readonly ModelMessage[]): void {
    for (const { role, content } of messages)
      void this.transcript?.append(
        role === 'assistant'
          ? { type: 'assistant', content, model: this.model.name }
          : { type: 'user', content, isMeta: true },
      );
  }

  /** Replaces the messages with a smaller form of them: the same messages and blocks, some of them shorter. */
  replaceMessages(messages: readonly ModelMessage[]): void {
    const blocks = replacedBlocks(this.#messages, messages);
    if (blocks.length > 0) void this.transcript?.append({ type: 'replacement', blocks });
    this.#messages = [...messages];
    this.contextTokens = 0;
  }

  /** Clears the conversation. */
  forget(): void {
    this.#messages = [];
    void this.transcript?.append({ type: 'clear' });
    this.contextTokens = 0;
    this.lastText = '';
    this.nextContext = [];
    this.nextNotes = [];
  }
}

const asBlock = (block: ContentBlock | AddedText): ContentBlock =>
  block.type === 'added' ? { type: 'text', text: block.text } : block;

/**
 * The name under which an agent's hooks and items are registered; undefined for the main agent without an `agentId`.
 * A name that the model chose grants no rights, so such an agent goes by its id.
 */
export function scopeOf(
  { identity }: Agent,
  { agentId, members = [] }: Pick<AgentLoopOptions, 'agentId' | 'members'>,
): string | undefined {
  if (identity === undefined) return agentId;
  const { id, name } = identity;
  return name !== undefined && members.includes(name) ? name : id;
}
