/** Permission questions that are answered on the page. */
import type { CanUseTool, PermissionAnswer } from '../agent/loop/ask-permission.js';
import { onAbort } from '../base/async/abortable.js';
import type { Timeline } from './agent-registry.js';
import { describeUpdates } from './describe-update.js';
import { cut, MAX_LENGTHS, showValue } from './show.js';

type Answer = 'yes' | 'always' | 'no';

interface Open {
  /** The first answer counts. */
  settle(answer: Answer | 'none'): void;
}

export class Questions {
  readonly #timeline: Timeline;
  readonly #open = new Map<string, Open>();
  /** By agent: how many of its questions are open, since when, and how long a person was asked before. */
  readonly #asking = new Map<string, { open: number; since: number; waitedMs: number }>();
  #last = 0;
  #closed = false;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Returns the `canUseTool` of an agent's loop; its subagents use it too. */
  askFor(agent: string): CanUseTool {
    return (name, input, { agentID = agent, signal, suggestions = [], decisionReason }) => {
      if (this.#closed || signal.aborted) return Promise.resolve(permission('none', []));
      return new Promise((resolve) => {
        this.#last += 1;
        const question = `question-${this.#last}`;
        const answered = this.#wait(agent);
        const stop = onAbort(signal, () => this.#open.get(question)?.settle('none'));
        this.#open.set(question, {
          settle: (answer) => {
            this.#open.delete(question);
            stop();
            answered();
            this.#timeline.add({ type: 'answered', question, answer });
            resolve(permission(answer, suggestions));
          },
        });
        this.#timeline.add({
          type: 'question',
          question,
          agent: agentID,
          name,
          input: showValue(input, MAX_LENGTHS.text),
          ...(decisionReason !== undefined && { reason: cut(decisionReason, MAX_LENGTHS.input) }),
          ...(suggestions.length > 0 && { always: cut(describeUpdates(suggestions), MAX_LENGTHS.input) }),
        });
      });
    };
  }

  /** Returns false if there is no such question, or it has been answered. */
  answer(question: string, answer: Answer): boolean {
    const open = this.#open.get(question);
    open?.settle(answer);
    return open !== undefined;
  }

  /** How long a person was asked by an agent and its subagents since the last call. */
  takeWaitedMs(agent: string): number {
    const { waitedMs = 0 } = this.#asking.get(agent) ?? {};
    this.#asking.delete(agent);
    return waitedMs;
  }

  /** Questions that are open at the same time count once. Call the result when this one is answered. */
  #wait(agent: string): () => void {
    const asking = this.#asking.get(agent) ?? { open: 0, since: 0, waitedMs: 0 };
    this.#asking.set(agent, asking);
    if (asking.open === 0) asking.since = performance.now();
    asking.open += 1;
    return () => {
      asking.open -= 1;
      if (asking.open === 0) asking.waitedMs += performance.now() - asking.since;
    };
  }

  close(): void {
    this.#closed = true;
    for (const open of [...this.#open.values()]) open.settle('none');
  }
}

function permission(
  answer: Answer | 'none',
  suggestions: NonNullable<Parameters<CanUseTool>[2]['suggestions']>,
): PermissionAnswer {
  if (answer === 'yes') return { behavior: 'allow' };
  if (answer === 'always') return { behavior: 'allow', updatedPermissions: suggestions };
  const why = answer === 'no' ? 'a person denied it' : 'the question was not answered';
  return { behavior: 'deny', message: `This call was not permitted: ${why}.` };
}
