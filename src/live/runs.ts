/** Converts the messages of a run to events. */
import {
  type AssistantMessage,
  type LoopMessage,
  type ResultMessage,
  retryLine,
  type UserMessage,
} from '../agent/loop/messages.js';
import type { ToolResultBlock } from '../agent/models/port.js';
import type { Timeline } from './agent-registry.js';
import type { TurnEndEvent } from './events.js';
import type { Fires } from './fires.js';
import type { Items } from './items.js';
import type { Questions } from './questions.js';
import { cut, MAX_LENGTHS, showValue } from './show.js';

type SystemMessage = Extract<LoopMessage, { type: 'system' }>;

export class RunReader {
  readonly #timeline: Timeline;
  readonly #fires: Fires;
  readonly #items: Items;
  readonly #questions: Questions;
  readonly #given: string | undefined;

  constructor(timeline: Timeline, fires: Fires, items: Items, questions: Questions, agent?: string) {
    this.#timeline = timeline;
    this.#fires = fires;
    this.#items = items;
    this.#questions = questions;
    this.#given = agent;
  }

  read(message: LoopMessage): void {
    if (message.type === 'assistant') this.#readAnswer(message);
    else if (message.type === 'user') this.#readUser(message);
    else if (message.type === 'system') this.#readSystem(message);
    else if (message.type === 'result') {
      const agent = this.#agentOf(message);
      const { is_error, terminal_reason: reason, duration_ms: durationMs, errors } = message;
      const waitedMs = Math.round(this.#questions.takeWaitedMs(agent));
      this.#endTurn(agent, !is_error, reason, {
        durationMs: Math.max(0, durationMs - waitedMs),
        ...(errors && { error: errors.join('\n') }),
        spent: spentBy(message),
      });
    }
  }

  #readAnswer(message: AssistantMessage): void {
    const agent = this.#agentOf(message, message.parent_tool_use_id);
    const turn = this.#timeline.registry.turnOf(agent);
    const { content } = message.message;
    for (const [i, block] of content.entries()) {
      if (block.type === 'text') {
        const next = content.slice(i + 1).find(({ type }) => type === 'tool_use');
        const before = next?.type === 'tool_use' ? { before: next.id } : {};
        this.#timeline.add({ type: 'text', agent, turn, text: cut(block.text, MAX_LENGTHS.text), ...before });
      } else if (block.type === 'tool_use') {
        const { id: tool, name } = block;
        this.#timeline.add({
          type: 'tool',
          agent,
          turn,
          tool,
          name,
          input: showValue(block.input, MAX_LENGTHS.input),
        });
      }
    }
  }

  #readUser(message: UserMessage): void {
    const agent = this.#agentOf(message, message.parent_tool_use_id);
    const turn = this.#timeline.registry.turnOf(agent);
    for (const block of message.message.content) {
      if (block.type === 'tool_result') {
        const ok = block.is_error !== true;
        const text = cut(textOf(block), MAX_LENGTHS.output);
        this.#timeline.add({ type: 'tool_result', agent, turn, tool: block.tool_use_id, ok, text });
      } else if (block.type === 'text') this.#note(agent, block.text);
    }
  }

  #readSystem(message: SystemMessage): void {
    switch (message.subtype) {
      case 'hook_started':
      case 'hook_progress':
      case 'hook_response':
        this.#fires.message(message);
        break;
      case 'injection':
        this.#items.message(message);
        break;
      case 'init':
        this.#timeline.registry.meet(this.#agentOf(message), { detail: message.model });
        break;
      case 'permission_denied': {
        const { tool_use_id: tool, decision_reason_type: by, message: reason } = message;
        const agent = this.#agentOf(message);
        const turn = this.#timeline.registry.turnOf(agent);
        this.#timeline.add({ type: 'denied', agent, turn, tool, by, reason: cut(reason, MAX_LENGTHS.input) });
        break;
      }
      case 'informational':
        this.#note(this.#agentOf(message), message.content, message.level);
        break;
      case 'api_retry':
        this.#note(this.#agentOf(message), retryLine(message), 'warning');
        break;
      case 'compact_boundary':
        this.#note(this.#agentOf(message), 'The conversation continues from a summary.');
        break;
      case 'status':
        if (message.compact_error !== undefined)
          this.#note(this.#agentOf(message), message.compact_error, 'warning');
        break;
      case 'task_started': {
        this.#agentOf(message);
        this.#timeline.registry.start(message.task_id, {
          session: message.session_id,
          toolUseId: message.tool_use_id,
          kind: message.subagent_type,
          task: message.description,
        });
        break;
      }
      case 'task_notification':
        this.#endTurn(message.task_id, message.status === 'completed', message.status, {});
        break;
    }
  }

  #note(agent: string, text: string, level: 'info' | 'warning' = 'info'): void {
    const turn = this.#timeline.registry.turnOf(agent);
    this.#timeline.add({ type: 'note', agent, turn, level, text: cut(text, MAX_LENGTHS.text) });
  }

  #endTurn(
    agent: string,
    ok: boolean,
    reason: string,
    more: Pick<TurnEndEvent, 'durationMs' | 'error' | 'spent'>,
  ): void {
    const turn = this.#timeline.registry.turnOf(agent);
    this.#timeline.add({ type: 'turn_end', agent, turn, ok, reason, ...more });
  }

  /** The agent of a message: one started by a call, otherwise the session's. */
  #agentOf({ session_id }: { readonly session_id: string }, parent: string | null = null): string {
    const { registry } = this.#timeline;
    const agent = this.#given ?? registry.ofSession(session_id);
    registry.joinSession(session_id, agent);
    return (parent === null ? undefined : registry.ofToolUse(session_id, parent)) ?? agent;
  }
}

function spentBy({ usage, total_cost_usd: sessionUsd }: ResultMessage): NonNullable<TurnEndEvent['spent']> {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  const inputTokens = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
  return { inputTokens, outputTokens: output_tokens, sessionUsd };
}

function textOf({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : `(${part.type})`))
    .join('\n');
}
