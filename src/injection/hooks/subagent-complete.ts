/** Results of subagents that worked in the background reach the agent that started them, however they ended. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { InjectionStrategy, Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, stableId } from './built-in.js';
import { Intake } from './intake.js';

/** How a subagent has ended. */
export interface SubagentResult {
  readonly id: string;
  /** Open: what the host calls it, such as `completed`, `partial`, `failed`, `timeout`, `cancelled`. */
  readonly status: string;
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
  /** Where its files are. */
  readonly workspace?: string | undefined;
  readonly seconds?: number | undefined;
  readonly tokens?: number | undefined;
  /** How far it got, from 0 to 100. */
  readonly percent?: number | undefined;
}

/** Where results come from, and where they are told. */
export interface SubagentCompleteOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** Asked at every safe point for results that have come; the same one may be returned again. */
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

/** The hook, and the way to tell it of a result. */
export interface SubagentComplete extends BuiltInHook {
  /**
   * Tells the agent at once; for hosts that need not be asked. The same result is told once. Rejects as the mailbox's
   * `put`.
   */
  report(agentId: string, result: SubagentResult): Promise<void>;
}

/** Tells agents how the subagents they started have ended, each once. Throws a `HookError` for an option that does not exist. */
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
