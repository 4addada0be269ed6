/** Delivers results of background subagents to the agent that started them, whether they succeeded or failed. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { InjectionStrategy, Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, stableId } from './built-in.js';
import { Intake } from './intake.js';

/** The result of a subagent. */
export interface SubagentResult {
  readonly id: string;
  /** Chosen by the host, for example `completed`, `partial`, `failed`, `timeout`, `cancelled`. */
  readonly status: string;
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
  /** The folder with its files. */
  readonly workspace?: string | undefined;
  readonly seconds?: number | undefined;
  readonly tokens?: number | undefined;
  /** Its progress, from 0 to 100. */
  readonly percent?: number | undefined;
}

/** Where results come from, and the mailbox they go to. */
export interface SubagentCompleteOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** Called at every safe point for new results; it may return the same result again. */
  readonly pending?:
    | ((
        agentId: string,
        signal: AbortSignal,
      ) => readonly SubagentResult[] | Promise<readonly SubagentResult[]>)
    | undefined;
  /** Default: `tool_result`. */
  readonly strategy?: InjectionStrategy | undefined;
}

const OPTIONS: OptionNames<SubagentCompleteOptions> = { mailbox: true, pending: true, strategy: true };

/** The hook, and a method to report a result. */
export interface SubagentComplete extends BuiltInHook {
  /**
   * Puts a result into the mailbox at once, so that the host needs no `pending`. A result that is reported twice is put
   * once. Rejects when the mailbox's `put` does.
   */
  report(agentId: string, result: SubagentResult): Promise<void>;
}

/** Informs agents about subagents that have finished, once per subagent. Throws a `HookError` for an unknown option. */
export function createSubagentComplete(options: SubagentCompleteOptions): SubagentComplete {
  refuseUnknownOptions('createSubagentComplete', options, OPTIONS);
  const name = 'subagent-complete';
  const intake = new Intake(options.mailbox);
  const toItem = (agentId: string, result: SubagentResult): NewInjection => {
    const content = subagentText(result);
    return {
      id: stableId('subagent', agentId, result.id, content),
      content,
      strategy: options.strategy ?? 'tool_result',
      source: { kind: 'subagent', label: result.id },
      to: agentId,
    };
  };
  return {
    name,
    report: async (agentId, result) => void (await options.mailbox.put(toItem(agentId, result))),
    register: (registrar) => {
      const { pending } = options;
      if (pending === undefined) return () => {};
      return collectAtSafePoints(registrar, name, async (agentId, _moment, signal) => {
        const results = await pending(agentId, signal);
        await intake.add(results.map((result) => toItem(agentId, result)));
      });
    },
  };
}

function subagentText({ id, status, answer, error, workspace, ...more }: SubagentResult): string {
  const facts = [
    more.seconds === undefined ? '' : `after ${more.seconds.toFixed(1)} s`,
    more.percent === undefined ? '' : `${more.percent} % done`,
    more.tokens === undefined ? '' : `${more.tokens} tokens`,
  ].filter((fact) => fact !== '');
  return [
    `The subagent ${id} has ended: ${[status, ...facts].join(', ')}.`,
    ...(workspace === undefined ? [] : [`Its files are in ${workspace}`]),
    ...(error === undefined || error === '' ? [] : [`Its error: ${error}`]),
    answer === undefined || answer === '' ? 'It gave no answer.' : `Its answer:\n${answer}`,
  ].join('\n');
}
