/** OpenAI's and compatible models, through chat completions or the Responses API. Loads `openai` on first use. */
import type OpenAI from 'openai';
import { messageOf } from '../../base/errors.js';
import { streamCall } from './call.js';
import { loadPackage } from './load-package.js';
import { chatBody } from './openai-chat.js';
import { readChat } from './openai-chat-reader.js';
import { type ResponsesBodyOptions, responsesBody } from './openai-responses.js';
import { readResponses } from './openai-responses-reader.js';
import { checkOptions, clientOptions, modelOf, refuseOption, retriesOf, SERVICE_OPTIONS } from './options.js';
import { type Model, ModelError } from './port.js';
import { withRetries } from './retry.js';

/** Options of `openaiModel`. */
export interface OpenaiModelOptions extends ResponsesBodyOptions {
  /** `chat` is supported by most compatible servers; `responses` is OpenAI's newer API. Default: `chat`. */
  readonly api?: 'chat' | 'responses';
  /** Asks for a readable summary of the model's reasoning; only with `api: 'responses'`. Default: none. */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
}

/** Opens a call with a client that does not retry: retries happen here, where they can be aborted. */
type Connect = <T>(signal: AbortSignal, call: (client: OpenAI) => Promise<T>) => Promise<T>;

/**
 * Creates a model of OpenAI or a compatible server. Loads `openai` with the first request; if it is not installed,
 * the stream throws a `ModelError` with code `missing_package`. Throws a `HookError` with code `invalid_option` if an
 * option is invalid.
 */
export function openaiModel(options: OpenaiModelOptions): Model {
  checkOptions('openaiModel', options, { ...SERVICE_OPTIONS, api: true, reasoningSummary: true });
  checkSummary(options);
  const { api = 'chat', model } = options;
  const service = `openai ${model}`;
  const connect = connector(service, options);
  if (api === 'chat')
    return {
      name: model,
      stream: (request) =>
        streamCall({
          service,
          signal: request.signal,
          reader: readChat(service, modelOf(options, request)),
          open: (signal) =>
            connect(signal, (client) =>
              client.chat.completions.create(chatBody(request, options), { signal }),
            ),
        }),
    };
  if (api === 'responses')
    return {
      name: model,
      stream: (request) =>
        streamCall({
          service,
          signal: request.signal,
          reader: readResponses(service, modelOf(options, request)),
          open: (signal) =>
            connect(signal, (client) => client.responses.create(responsesBody(request, options), { signal })),
        }),
    };
  refuseOption('openaiModel', 'api', 'chat or responses', api);
}

const SUMMARIES: readonly unknown[] = ['auto', 'concise', 'detailed'];

function checkSummary({ api, reasoningSummary }: OpenaiModelOptions): void {
  if (reasoningSummary === undefined) return;
  if (api !== 'responses' || !SUMMARIES.includes(reasoningSummary))
    refuseOption(
      'openaiModel',
      'reasoningSummary',
      `one of ${SUMMARIES.join(', ')}, with \`api: 'responses'\``,
      reasoningSummary,
    );
}

function connector(service: string, options: OpenaiModelOptions): Connect {
  let client: OpenAI | undefined;
  return async (signal, call) => {
    const sdk = await loadPackage('openai', () => import('openai'));
    try {
      client ??= new sdk.OpenAI({ ...clientOptions(options), maxRetries: 0 });
    } catch (cause) {
      // The constructor throws only for missing credentials.
      throw new ModelError('unauthorized', `${service}: ${messageOf(cause)}`, { cause });
    }
    const connected = client;
    return withRetries(() => call(connected), {
      maxRetries: retriesOf(options),
      signal,
      isConnectionError: (error) => error instanceof sdk.APIConnectionError,
    });
  };
}
