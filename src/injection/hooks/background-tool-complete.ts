/** Informs agents about background tools that have finished. */

import { cutText } from '../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, stableId } from './built-in.js';
import { Intake } from './intake.js';

/** A background tool that has finished. */
export interface BackgroundJob {
  readonly id: string;
  readonly tool: string;
  /** Chosen by the host, for example `completed` or `failed`. */
  readonly status: string;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

/** Where jobs come from, and the mailbox for their results. */
export interface BackgroundToolOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** Called at every safe point for finished jobs; it may return the same job again. */
  readonly pending?:
    | ((agentId: string, signal: AbortSignal) => readonly BackgroundJob[] | Promise<readonly BackgroundJob[]>)
    | undefined;
  /** A longer result or error is truncated and marked as such. Default: 2,000 characters. */
  readonly maxResultLength?: number | undefined;
}

const OPTIONS: OptionNames<BackgroundToolOptions> = { mailbox: true, pending: true, maxResultLength: true };

/** The hook, and a method to report a job. */
export interface BackgroundToolComplete extends BuiltInHook {
  /**
   * Puts the result of a job into the mailbox at once, so that the host needs no `pending`. A job that is reported
   * twice is put once. Rejects when the mailbox's `put` does.
   */
  report(agentId: string, job: BackgroundJob): Promise<void>;
}

/**
 * Informs agents about background tools that have finished, once per job. Throws a `HookError` for an unknown option.
 */
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

function jobText({ id, tool, status, result = '', error = '' }: BackgroundJob, maxLength: number): string {
  return [
    `The background job ${id} of ${tool} has ended: ${status}.`,
    ...(error === '' ? [] : [`Its error: ${cutText(error, maxLength)}`]),
    ...(result === '' ? [] : [`Its result: ${cutText(result, maxLength)}`]),
    ...(error === '' && result === '' ? ['It returned nothing.'] : []),
  ].join('\n');
}
