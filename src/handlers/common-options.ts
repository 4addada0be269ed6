/** Checks the options that all hooks have: timeout, failure policy, and `async` on a guard. */
import { MAX_TIMER_MS } from '../base/async/timeout.js';
import { HookError, show } from '../base/errors.js';
import { canPrevent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { FailurePolicy } from './types.js';

/** Converts seconds to whole milliseconds, rounded up so that no positive timeout becomes 0. */
export function timeoutMs(seconds: unknown, where: string): number {
  const ms = typeof seconds === 'number' ? Math.ceil(Number((seconds * 1000).toFixed(6))) : Number.NaN;
  if (ms >= 1 && ms <= MAX_TIMER_MS) return ms;
  throw new HookError(
    'invalid_timeout',
    `The timeout of a ${where} is ${show(seconds)}; give seconds as a number above 0 and up to ${Math.floor(MAX_TIMER_MS / 1000)}.`,
  );
}

/** No hook plausibly needs longer than this. */
const MAX_PLAUSIBLE_SECONDS = 24 * 60 * 60;

/** A warning if the seconds look like milliseconds: whole thousands, or more than a day. Takes anything. */
export function lintTimeout(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || seconds < 1000) return undefined;
  if (seconds % 1000 !== 0 && seconds <= MAX_PLAUSIBLE_SECONDS) return undefined;
  return `The timeout is ${seconds} seconds, which is ${inWords(seconds)}. Timeouts are seconds: if ${seconds} milliseconds are meant, write ${seconds / 1000}.`;
}

function inWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60)];
  return hours === 0 ? `${minutes} minutes` : `${hours} h ${minutes} min`;
}

export function failurePolicy(value: unknown, where: string): FailurePolicy | undefined {
  if (value === undefined || value === 'continue' || value === 'block') return value;
  throw new HookError(
    'invalid_option',
    `onFailure of ${where} is ${show(value)}; use 'continue' or 'block'.`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** The problem with a guard that runs in the background: it cannot refuse anything. */
export function asyncGuardProblem(
  event: AnyEvent,
  { type, async, asyncRewake }: Fields,
  policy: FailurePolicy | undefined,
): string | undefined {
  const key = async === true ? 'async' : asyncRewake === true ? 'asyncRewake' : undefined;
  if (type !== 'command' || key === undefined || policy !== 'block' || !canPrevent(event)) return undefined;
  return `A command for ${event} is async and set to block, but a hook in the background cannot refuse anything. Remove \`${key}\` or \`onFailure\`.`;
}
