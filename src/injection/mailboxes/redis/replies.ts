/** Parses the replies of scripts, and converts the changes in them. */
import { itemSchema } from '../../item.js';
import type { InjectionChange, InjectionState } from '../../port.js';
import { unescapeName } from './keys.js';
import type { Reply } from './link.js';
import { ENDED_STATES } from './lua/agent.js';

const STATES: readonly InjectionState[] = ['queued', ...ENDED_STATES];
const headSchema = itemSchema.pick({ source: true, strategy: true });

/** A change as recorded by scripts: id, state, reason, strategy and source, and whether it is in the log. */
export interface NotedChange {
  readonly id: string;
  readonly state: InjectionState;
  readonly reason: string;
  readonly head: string;
  readonly isShared: boolean;
}

export interface ScriptReply {
  /** The server's time. */
  readonly at: number;
  readonly changes: readonly NotedChange[];
  /** For an agent: the number up to which it no longer needs the log. For the log: the ids that were removed. */
  readonly third: Reply;
  readonly kind: string;
  readonly rest: readonly Reply[];
}

export function readReply(reply: Reply): ScriptReply {
  const [at, changes, third = '', kind, ...rest] = listOf(reply);
  return { at: Number(at), changes: readChanges(textOf(changes)), third, kind: textOf(kind), rest };
}

/** One per line. Other programs can publish too: what is not a change is omitted. */
export function readChanges(text: string): readonly NotedChange[] {
  return text === '' ? [] : text.split('\n').flatMap(readChange);
}

function readChange(line: string): readonly NotedChange[] {
  const [id = '', word, reason = '', shared = '', ...head] = line.split(' ');
  const state = STATES.find((each) => each === word);
  if (state === undefined) return [];
  return [
    {
      id: unescapeName(id),
      state,
      reason: unescapeName(reason),
      head: head.join(' '),
      isShared: shared !== '',
    },
  ];
}

export function toChange(agentId: string, at: number, change: NotedChange): InjectionChange {
  const { id, state, reason, head } = change;
  const { source, strategy } = readHead(head);
  return Object.freeze({ id, agentId, state, source, strategy, at, ...(reason !== '' && { reason }) });
}

/** Other programs can write to the server too: an unreadable field must not prevent the report of a change. */
function readHead(head: string): Pick<InjectionChange, 'source' | 'strategy'> {
  try {
    return headSchema.parse(JSON.parse(head));
  } catch {
    return { source: { kind: 'unknown' }, strategy: 'tool_result' };
  }
}

export function textOf(reply: Reply | undefined): string {
  return typeof reply === 'string' ? reply : '';
}

export function listOf(reply: Reply | undefined): readonly Reply[] {
  return typeof reply === 'object' ? reply : [];
}

export function textsOf(reply: Reply | undefined): readonly string[] {
  return listOf(reply).map(textOf);
}
