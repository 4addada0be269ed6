/** What can be said to every model that lives behind a service, and how it becomes what an SDK takes. */
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { ModelRequest } from './port.js';

/** What a model behind a service needs to be told; only its name is required. */
export interface ServiceOptions {
  readonly model: string;
  /** Another model for what is not the main conversation: summaries, hooks that ask a model. */
  readonly modelFor?: Partial<Readonly<Record<ModelRequest['purpose'], string>>>;
  /** Absent: what the SDK finds in the environment. */
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** The longest answer, where the request does not say. */
  readonly maxTokens?: number;
  /** How often a call is tried again after rate limits, overload, faults of the service or of the connection. */
  readonly maxRetries?: number;
  /** Seconds until the answer must have begun; 600 when absent. */
  readonly timeout?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** More fields for the body of every request, such as `metadata`; they win over the adapter's own. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** The names of `ServiceOptions`, for those who refuse others. */
export const SERVICE_OPTIONS: OptionNames<ServiceOptions> = {
  model: true,
  modelFor: true,
  apiKey: true,
  baseURL: true,
  maxTokens: true,
  maxRetries: true,
  timeout: true,
  headers: true,
  extraBody: true,
};

const DEFAULT_RETRIES = 2;

/** The options of the client that both SDKs share. They must never write to the console of the host. */
export function clientOptions(options: ServiceOptions) {
  return {
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    ...(options.headers === undefined ? {} : { defaultHeaders: { ...options.headers } }),
    maxRetries: retriesOf(options),
    logLevel: 'off' as const,
  };
}

export function retriesOf(options: ServiceOptions): number {
  return options.maxRetries ?? DEFAULT_RETRIES;
}

export function modelOf(options: ServiceOptions, request: ModelRequest): string {
  return options.modelFor?.[request.purpose] ?? options.model;
}

/** Refuses at once what would only show at the first call. */
export function checkOptions<O extends ServiceOptions>(
  maker: string,
  options: O,
  known: OptionNames<O>,
): void {
  refuseUnknownOptions(maker, options, known);
  const refuse = (name: string, expected: string, value: unknown): never => {
    throw new HookError('invalid_option', `${maker}: \`${name}\` must be ${expected}, not ${show(value)}`);
  };
  const { model, maxTokens, maxRetries, timeout } = options;
  if (typeof model !== 'string' || model === '') refuse('model', 'the name of a model', model);
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens > 0))
    refuse('maxTokens', 'a positive whole number', maxTokens);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    refuse('maxRetries', 'a whole number, 0 or more', maxRetries);
  if (timeout !== undefined && !(timeout > 0 && timeout * 1000 < 2 ** 31))
    refuse('timeout', 'a positive number of seconds below 2^31 ms', timeout);
}
