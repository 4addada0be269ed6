/** Tools that went on in the background tell the agent how they ended. */

import { cutText } from '../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, stableId } from './built-in.js';
import { Intake } from './intake.js';

/** A tool that went on in the background, and has ended. */
export interface BackgroundJob {
  readonly id: string;
  readonly tool: string;
  /** Open: what the host calls it, such as `completed` or `failed`. */
  readonly status: string;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

/** Where jobs come from, and where they are told. */
export interface BackgroundToolOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** Asked at every safe point for jobs that have ended; the same one may be returned again. */
  readonly pending?:
    | ((agentId: string, signal: AbortSignal) => readonly BackgroundJob[] | Promise<readonly BackgroundJob[]>)
    | undefined;
  /** A longer result or error is cut, and says so. Default: 2,000 characters. */
  readonly maxResultLength?: number | undefined;
}

const OPTIONS: OptionNames<BackgroundToolOptions> = { mailbox: true, pending: true, maxResultLength: true };

/** The hook, and the way to tell it of a job. */
export interface BackgroundToolComplete extends BuiltInHook {
  /**
   * Tells the agent at once; for hosts that need not be asked. The same job is told once. Rejects as the mailbox's
   * `put`.
   */
  report(agentId: string, job: BackgroundJob): Promise<void>;
}

/** Tells agents how tools that went on in the background have ended, each once. Throws a `HookError` for an option that does not exist. */
export function createBackgroundToolComplete(options: BackgroundToolOptions): BackgroundToolComplete {
  refuseUnknownOptions('createBackgroundToolComplete', options, OPTIONS);
  const name = 'background-tool-complete';
  const intake = new Intake(options.mailbox);
  const toItem = (agentId: string, job: BackgroundJob): NewInjection => {
    const content = jobText(job, options.maxResultLength ?? 2000);
    return {
      id: stableId('job', agentId, job.id, content),
      content,
      source: { kind: 'background_tool', label: job.tool },
      to: agentId,
    };
  };
  return {
    name,
    report: async (agentId, job) => void (await options.mailbox.put(toItem(agentId, job))),
    register: (registrar) => {
      const { pending } = options;
      if (pending === undefined) return () => {};
      return collectAtSafePoints(registrar, name, async (agentId, _moment, signal) => {
        const jobs = await pending(agentId, signal);
        await intake.add(jobs.map((job) => toItem(agentId, job)));
      });
    },
  };
}

function jobText({ id, tool, status, result = '', error = '' }: BackgroundJob, longest: number): string {
  return [
    `The background job ${id} of ${tool} has ended: ${status}.`,
    ...(error === '' ? [] : [`Its error: ${cutText(error, longest)}`]),
    ...(result === '' ? [] : [`Its result: ${cutText(result, longest)}`]),
    ...(error === '' && result === '' ? ['It returned nothing.'] : []),
  ].join('\n');
}
