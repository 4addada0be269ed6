/** OpenAI's and compatible models, through chat completions or the Responses API. Loads `openai` on first use. */
import type OpenAI from 'openai';
import { messageOf } from '../../base/errors.js';
import { loadOptional, rethrow } from '../../base/optional-package.js';
import { streamCall } from './call.js';
import { ownNames } from './call-names.js';
import { chatBody } from './openai-chat.js';
import { readChat } from './openai-chat-reader.js';
import { OPENAI_NAMES } from './openai-content.js';
import { responsesBody } from './openai-responses.js';
import { readResponses } from './openai-responses-reader.js';
import { checkOptions, clientOptions, modelOf, refuseOption, retriesOf, SERVICE_OPTIONS } from './options.js';
import { type Model, ModelError } from './port.js';
import { missingPackage } from './service-error.js';
import type { ResponsesBodyOptions } from './service-options.js';

/** Options of `openaiModel`. */
export interface OpenaiModelOptions extends ResponsesBodyOptions {
  /** `chat` is supported by most compatible servers; `responses` is OpenAI's newer API. Default: `chat`. */
  readonly api?: 'chat' | 'responses';
  /** Asks for a readable summary of the model's reasoning; only with `api: 'responses'`. Default: none. */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
}

/** Opens a call with a client, which is made when it is needed. */
type Connect = <T>(call: (client: OpenAI) => Promise<T>) => Promise<T>;

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
  const limits = limitsOf(options);
  if (api === 'chat')
    return {
      name: model,
      ...limits,
      effort: options.effort,
      stream: (request) =>
        streamCall({
          service,
          signal: request.signal,
          retries: retriesOf(options),
          read: () => readChat(service, modelOf(options, request), ownNames(request.tools, OPENAI_NAMES)),
          open: (signal) =>
            connect((client) => client.chat.completions.create(chatBody(request, options), { signal })),
        }),
    };
  if (api === 'responses')
    return {
      name: model,
      ...limits,
      effort: options.effort,
      stream: (request) =>
        streamCall({
          service,
          signal: request.signal,
          retries: retriesOf(options),
          read: () =>
            readResponses(service, modelOf(options, request), ownNames(request.tools, OPENAI_NAMES)),
          open: (signal) =>
            connect((client) => client.responses.create(responsesBody(request, options), { signal })),
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

/** Without a limit of the caller, the service applies the model's own, which cannot be raised. */
function limitsOf({ maxTokens, raisedMaxTokens }: OpenaiModelOptions): Pick<Model, 'maxTokens'> {
  if (maxTokens === undefined) return {};
  return {
    maxTokens: { usual: maxTokens, ...(raisedMaxTokens !== undefined && { raised: raisedMaxTokens }) },
  };
}

function connector(service: string, options: OpenaiModelOptions): Connect {
  let client: OpenAI | undefined;
  return async (call) => {
    const sdk = await loadOptional(
      'openai',
      'This model needs',
      async () => {
        try {
          return await import('openai');
        } catch (error) {
          return rethrow(error);
        }
      },
      missingPackage,
    );
    try {
      client ??= new sdk.OpenAI(clientOptions(options, (key) => ({ Authorization: `Bearer ${key}` })));
    } catch (cause) {
      // The constructor throws only for missing credentials.
      throw new ModelError('unauthorized', `${service}: ${messageOf(cause)}`, { cause });
    }
    return call(client);
  };
}
