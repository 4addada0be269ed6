/** One agent of a session: who it is, where it is, and what it and its model have said to each other. */
import type { ContentBlock, Model, ModelMessage, StopReason, ToolUseBlock } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import type { NewAssistantLine, NewUserLine } from '../transcript/line.js';
import type { Transcript } from '../transcript/transcript.js';
import { Inbox } from './inbox.js';
import type { AgentLoopOptions } from './options.js';

/** Who an agent is, if it is not the main one. */
export interface Identity {
  readonly id: string;
  readonly type: string;
  /** The call of the Agent tool that started it. */
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
  readonly transcript: Transcript | undefined;
  readonly messages?: readonly ModelMessage[];
  /** What they took up, as far as that is known. */
  readonly contextTokens?: number | undefined;
}

export type AnswerDetails = Pick<NewAssistantLine, 'id' | 'usage'> & { readonly stopReason: StopReason };

export class Agent {
  readonly identity: Identity | undefined;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly system: string;
  readonly transcript: Transcript | undefined;
  /** What others have to tell it, read at the next safe point. */
  readonly inbox = new Inbox();
  cwd: string;
  /** Told to the model with the next request, as part of its system prompt, and then gone. */
  nextSystem: string[] = [];
  /** Told to the model at the beginning of the next message. */
  nextContext: string[] = [];
  /** What the conversation takes up, as the model counted it last. */
  contextTokens = 0;
  lastText = '';
  #messages: ModelMessage[];

  constructor(parts: AgentParts) {
    this.identity = parts.identity;
    this.model = parts.model;
    this.tools = parts.tools;
    this.system = parts.system;
    this.cwd = parts.cwd;
    this.transcript = parts.transcript;
    this.#messages = [...(parts.messages ?? [])];
    this.contextTokens = parts.contextTokens ?? 0;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get parentToolUseId(): string | null {
    return this.identity?.toolUseId ?? null;
  }

  /** The tool that a name means, also by one of its other names. */
  findTool(name: string): Tool | undefined {
    return this.tools.find((tool) => tool.name === name || tool.aliases?.includes(name));
  }

  /** The model's answer becomes part of the conversation. */
  answer(content: readonly ContentBlock[], details: AnswerDetails): void {
    this.#messages.push({ role: 'assistant', content });
    void this.transcript?.append({ type: 'assistant', content, model: this.model.name, ...details });
  }

  /** A message to the model, with what waited for one before it; results of tools have to come first. */
  appendUserMessage(
    content: readonly ContentBlock[],
    line: Omit<NewUserLine, 'type' | 'content'> = {},
  ): void {
    const waiting = this.nextContext.map((text) => ({ type: 'text', text }) as const);
    this.nextContext = [];
    const results = content.filter(({ type }) => type === 'tool_result');
    const rest = content.filter(({ type }) => type !== 'tool_result');
    const whole = [...results, ...waiting, ...rest];
    const last = this.#messages.at(-1);
    // Services want roles to alternate: what the model has not answered yet is one message.
    if (last?.role === 'user') this.#messages.pop();
    const before = last?.role === 'user' ? last.content : [];
    this.#messages.push({ role: 'user', content: [...before, ...whole] });
    void this.transcript?.append({ type: 'user', content: whole, ...line });
  }

  /** The model has been sent more than the conversation held: it is part of it from now on. */
  keepSent(messages: readonly ModelMessage[], added: readonly ContentBlock[]): void {
    this.#messages = [...messages];
    void this.transcript?.append({ type: 'user', content: added, isMeta: true });
  }

  /** What the model called and got no result for. A conversation cannot go on while there is some. */
  openCalls(): readonly ToolUseBlock[] {
    const last = this.#messages.at(-1);
    return last?.role === 'assistant' ? last.content.filter((block) => block.type === 'tool_use') : [];
  }

  /** The conversation goes on from a summary. */
  startFrom(summary: readonly ContentBlock[], trigger: 'manual' | 'auto', preTokens: number): void {
    this.#messages = [{ role: 'user', content: summary }];
    this.contextTokens = 0;
    void this.transcript?.append({ type: 'compaction', trigger, preTokens, summary });
  }

  /** The conversation begins anew. */
  forget(): void {
    this.#messages = [];
    void this.transcript?.append({ type: 'clear' });
    this.contextTokens = 0;
    this.lastText = '';
    this.nextContext = [];
    this.nextSystem = [];
  }
}

/** Whose hooks and items an agent's are: names that the model has made up give no rights. Undefined: the main one's. */
export function scopeOf(
  { identity }: Agent,
  { agentId, members = [] }: Pick<AgentLoopOptions, 'agentId' | 'members'>,
): string | undefined {
  if (identity === undefined) return agentId;
  const { id, name } = identity;
  return name !== undefined && members.includes(name) ? name : id;
}
