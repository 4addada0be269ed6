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
        const stop = onAbort(signal, () => this.#open.get(question)?.settle('none'));
        this.#open.set(question, {
          settle: (answer) => {
            this.#open.delete(question);
            stop();
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
