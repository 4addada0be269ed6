/** Converts any error of an SDK or a stream to a `ModelError` with a code and a hint. */
import { messageOf } from '../../base/errors.js';
import { ModelError } from './port.js';
import { unreachable } from './unreachable.js';

type Code = ModelError['code'];

/** Error names of services (`type` or `code`), for errors without a status, such as those within a stream. */
const CODE_BY_NAME: Readonly<Record<string, Code>> = {
  authentication_error: 'unauthorized',
  permission_error: 'unauthorized',
  invalid_api_key: 'unauthorized',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  insufficient_quota: 'rate_limited',
  tokens: 'rate_limited',
  requests: 'rate_limited',
  overloaded_error: 'overloaded',
  engine_overloaded: 'overloaded',
  server_is_overloaded: 'overloaded',
  invalid_request_error: 'bad_request',
  not_found_error: 'bad_request',
  request_too_large: 'context_overflow',
  invalid_prompt: 'bad_request',
  context_length_exceeded: 'context_overflow',
  exceed_context_size_error: 'context_overflow',
};

/** How services and compatible servers say that a conversation is too long. */
const OVERFLOWS = [
  /(prompt|input|request) is too long/i,
  /maximum (context|prompt) length/i,
  /context[_ ]length[_ ]exceeded/i,
  /exceeds?\b.{0,60}\bcontext (window|length|limit|size)/i,
  /context (window|length|size) (was |is )?(exceeded|exceeds)/i,
  /(greater|longer) than the context (length|window)/i,
  /input token count.{0,80}exceeds/i,
  /too many (input )?tokens/i,
  /reduce the length of the (messages|prompt|input)/i,
  /token limit exceeded/i,
];

/** Statuses with which a request is refused for what it is. A rate limit can speak of too many tokens too. */
const OVERFLOW_STATUSES: ReadonlySet<number | undefined> = new Set([400, 413, 422, undefined]);

const HINTS: Partial<Record<Code, string>> = {
  unauthorized: 'Check the API key.',
  context_overflow: 'The conversation is too long for the model.',
  rate_limited: 'Wait, or ask for a higher limit.',
  overloaded: 'Try again later.',
  unavailable: 'Check the address and the network, or try again later.',
  broken_stream: 'The answer is incomplete; ask again.',
};

/** `opening`: the service has not answered yet. `reading`: the answer has started. */
export type Phase = 'opening' | 'reading';

export function serviceError(service: string, thrown: unknown, phase: Phase): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const away = phase === 'opening' ? unreachable(thrown) : undefined;
  if (away !== undefined)
    return new ModelError('unavailable', `${service}: ${away.why}. ${away.hint}`, { cause: thrown });
  const { status, names, description } = factsOf(thrown);
  const known = names.map((name) => CODE_BY_NAME[name]).find((code) => code !== undefined);
  // Only API errors have names; any other error while reading means that the stream broke.
  const unnamed =
    names.length > 0 ? 'unavailable' : phase === 'reading' ? 'broken_stream' : unsent(description);
  const isOverflow =
    known === 'context_overflow' ||
    ((known ?? 'bad_request') === 'bad_request' &&
      OVERFLOW_STATUSES.has(status) &&
      OVERFLOWS.some((pattern) => pattern.test(description)));
  const code = isOverflow
    ? 'context_overflow'
    : status === undefined
      ? (known ?? unnamed)
      : codeOfStatus(status);
  const what = code === 'broken_stream' ? 'the stream broke' : status === undefined ? code : `${status}`;
  return new ModelError(code, sentence(`${service}: ${what}: ${description}`, HINTS[code]), {
    cause: thrown,
    ...(status === undefined ? {} : { status }),
  });
}

/** The stream ended early or violates its format. */
export function brokenStream(service: string, what: string): ModelError {
  return new ModelError(
    'broken_stream',
    sentence(`${service}: the stream broke: ${what}`, HINTS.broken_stream),
  );
}

/** The request was not sent, or not answered. A missing key shows only in the SDK's message. */
function unsent(description: string): Code {
  return /authentication method|credentials/i.test(description) ? 'unauthorized' : 'unavailable';
}

function codeOfStatus(status: number): Code {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  // 408 and 409 are temporary conditions, not errors in the request.
  // Without a word of the service: the body of the request is too large.
  if (status === 413) return 'context_overflow';
  if (status >= 500 || status === 408 || status === 409) return 'unavailable';
  return 'bad_request';
}

function factsOf(thrown: unknown): {
  status: number | undefined;
  names: readonly string[];
  description: string;
} {
  const { status, type, code, apiMessage, cause } = Object(thrown) as Readonly<Record<string, unknown>>;
  const text = typeof apiMessage === 'string' ? apiMessage : messageOf(thrown).replace(/^\d{3} /, '');
  // "Connection error." alone does not help; the reason is in the cause, sometimes twice.
  const below = cause === undefined ? '' : ` (${deepest(cause)})`;
  return {
    status: typeof status === 'number' ? status : undefined,
    names: [type, code].filter((name): name is string => typeof name === 'string'),
    description: text + below,
  };
}

function deepest(cause: unknown): string {
  let last = cause;
  for (let depth = 0; depth < 5 && last instanceof Error && last.cause !== undefined; depth++)
    last = last.cause;
  const { code } = Object(last) as { readonly code?: unknown };
  return messageOf(last) || String(code ?? 'no reason given');
}

function sentence(text: string, hint: string | undefined): string {
  const closed = /[.!?)]$/.test(text) ? text : `${text}.`;
  return hint === undefined ? closed : `${closed} ${hint}`;
}

/** For `loadOptional`. */
export const missingPackage = (message: string, cause?: unknown): ModelError =>
  new ModelError('missing_package', message, { cause });
