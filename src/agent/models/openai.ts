/** OpenAI's models, and all that speak like them, through chat completions or responses, on `openai`, loaded on use. */
import type OpenAI from 'openai';
import { HookError, messageOf, show } from '../../base/errors.js';
import { streamCall } from './call.js';
import { loadPackage } from './load-package.js';
import { chatBody } from './openai-chat.js';
import { readChat } from './openai-chat-reader.js';
import { responsesBody } from './openai-responses.js';
import { readResponses } from './openai-responses-reader.js';
import { checkOptions, clientOptions, retriesOf, SERVICE_OPTIONS, type ServiceOptions } from './options.js';
import { type Model, ModelError } from './port.js';
import { withRetries } from './retry.js';

/** Which model, by which interface, with which limits. */
export interface OpenaiModelOptions extends ServiceOptions {
  /** `chat` is what most compatible servers speak; `responses` is OpenAI's newer interface. Absent: `chat`. */
  readonly api?: 'chat' | 'responses';
}

/** Opens a call with a client that tries once: trying again is done here, where it can be aborted. */
type Connect = <T>(signal: AbortSignal, call: (client: OpenAI) => Promise<T>) => Promise<T>;

/**
 * A model of OpenAI, or of a server that speaks like it. `openai` is loaded with the first request; where it is
 * missing, the stream throws a `ModelError`, code `missing_package`. Throws a `HookError`, code `invalid_option`, for
 * options that cannot be used.
 */
export function openaiModel(options: OpenaiModelOptions): Model {
  checkOptions('openaiModel', options, { ...SERVICE_OPTIONS, api: true });
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
          reader: readChat(service),
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
          reader: readResponses(service),
          open: (signal) =>
            connect(signal, (client) => client.responses.create(responsesBody(request, options), { signal })),
        }),
    };
  throw new HookError('invalid_option', `openaiModel: \`api\` must be chat or responses, not ${show(api)}`);
}

function connector(service: string, options: OpenaiModelOptions): Connect {
  let client: OpenAI | undefined;
  return async (signal, call) => {
    const sdk = await loadPackage('openai', () => import('openai'));
    try {
      client ??= new sdk.OpenAI({ ...clientOptions(options), maxRetries: 0 });
    } catch (cause) {
      // The constructor looks for credentials, and refuses nothing else.
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
