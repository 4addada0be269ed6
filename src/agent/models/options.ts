/** The options that all service models share, and their conversion to SDK options. */
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { ModelRequest } from './port.js';
import type { RetryOptions } from './retry.js';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Options of a model behind a service. Only `model` is required. */
export interface ServiceOptions {
  readonly model: string;
  /** Other models for requests outside the main conversation: summaries and hooks. */
  readonly modelFor?: Partial<Readonly<Record<ModelRequest['purpose'], string>>>;
  /** Default: the key the SDK finds in the environment. */
  readonly apiKey?: string;
  readonly baseURL?: string;
  /**
   * Whether nothing is sent that the SDK would find in the environment: key, token, organisation, custom headers. For an
   * address that you do not trust. Default: false.
   */
  readonly isolated?: boolean;
  /** The maximum length of an answer in tokens, unless the request sets one. */
  readonly maxTokens?: number;
  /** The limit after two answers in a row were cut off. Default: 64,000 for Claude, unless you set `maxTokens`. */
  readonly raisedMaxTokens?: number;
  /** How often a call is retried after rate limits, overload, service errors and connection errors. Default: 10. */
  readonly maxRetries?: number;
  /** Seconds within which the last retry must start. Default: 300. */
  readonly retryFor?: number;
  /** Seconds until the answer must have started. Default: 600. */
  readonly timeout?: number;
  /** How much the model thinks and writes; which levels there are depends on the model. Default: the model's. */
  readonly effort?: Effort;
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra fields for the body of every request, such as `metadata`; they override the adapter's own. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** The names of `ServiceOptions`, used to reject unknown options. */
export const SERVICE_OPTIONS: OptionNames<ServiceOptions> = {
  model: true,
  modelFor: true,
  apiKey: true,
  baseURL: true,
  isolated: true,
  maxTokens: true,
  raisedMaxTokens: true,
  maxRetries: true,
  retryFor: true,
  timeout: true,
  effort: true,
  headers: true,
  extraBody: true,
};

const DEFAULT_RETRIES = 10;
const DEFAULT_RETRY_SECONDS = 300;

/** The client options that both SDKs share. The SDKs must never write to the host's console. */
export function clientOptions(options: ServiceOptions, keyHeader: KeyHeader) {
  const apiKey = options.apiKey ?? (options.isolated ? 'none' : undefined);
  const headers = options.isolated ? isolatedHeaders(options, keyHeader(apiKey ?? '')) : options.headers;
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    ...(options.isolated ? NO_CREDENTIALS : {}),
    ...(headers === undefined ? {} : { defaultHeaders: { ...headers } }),
    // Retries happen here, where they can be watched and aborted.
    maxRetries: 0,
    logLevel: 'off' as const,
  };
}

/** What the SDKs would otherwise take from the environment. */
const NO_CREDENTIALS = { authToken: null, adminAPIKey: null, organization: null, project: null };

/** The header in which a service expects its key. */
type KeyHeader = (apiKey: string) => Readonly<Record<string, string>>;

/** Both SDKs add the headers in these variables; `null` leaves one out. Without `key`, a header that is left out could replace it. */
function isolatedHeaders(
  { headers }: ServiceOptions,
  key: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const lines = ['ANTHROPIC_CUSTOM_HEADERS', 'OPENAI_CUSTOM_HEADERS'].flatMap((name) =>
    (process.env[name] ?? '').split('\n'),
  );
  const names = lines.flatMap((line) =>
    line.includes(':') ? [line.slice(0, line.indexOf(':')).trim()] : [],
  );
  const leftOut = names.filter((name) => name !== '').map((name) => [name, null]);
  return { ...Object.fromEntries(leftOut), ...key, ...headers };
}

export function retriesOf({ maxRetries, retryFor }: ServiceOptions): RetryOptions {
  return {
    maxRetries: maxRetries ?? DEFAULT_RETRIES,
    retryForMs: (retryFor ?? DEFAULT_RETRY_SECONDS) * 1000,
  };
}

export function modelOf(options: ServiceOptions, request: ModelRequest): string {
  return options.modelFor?.[request.purpose] ?? options.model;
}

/** Throws early for options that would otherwise fail only at the first call. */
export function checkOptions<O extends ServiceOptions>(
  maker: string,
  options: O,
  known: OptionNames<O>,
): void {
  refuseUnknownOptions(maker, options, known);
  const refuse = (name: string, expected: string, value: unknown): never =>
    refuseOption(maker, name, expected, value);
  const { model, maxTokens, raisedMaxTokens, maxRetries, retryFor, timeout, effort } = options;
  if (effort !== undefined && !EFFORTS.includes(effort))
    refuse('effort', `one of ${EFFORTS.join(', ')}`, effort);
  if (typeof model !== 'string' || model === '') refuse('model', 'the name of a model', model);
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens > 0))
    refuse('maxTokens', 'a positive whole number', maxTokens);
  if (
    raisedMaxTokens !== undefined &&
    !(Number.isInteger(raisedMaxTokens) && raisedMaxTokens > (maxTokens ?? 0))
  )
    refuse('raisedMaxTokens', 'a whole number above `maxTokens`', raisedMaxTokens);
  if (retryFor !== undefined && !(retryFor >= 0))
    refuse('retryFor', 'a number of seconds, 0 or more', retryFor);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    refuse('maxRetries', 'a whole number, 0 or more', maxRetries);
  if (timeout !== undefined && !(timeout > 0 && timeout * 1000 < 2 ** 31))
    refuse('timeout', 'a positive number of seconds below 2^31 ms', timeout);
}

/** Throws the error for an option with a wrong value. */
export function refuseOption(maker: string, name: string, expected: string, value: unknown): never {
  throw new HookError('invalid_option', `${maker}: \`${name}\` must be ${expected}, not ${show(value)}`);
}
