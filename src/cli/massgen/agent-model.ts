/** The model that a MassGen file names for an agent, as far as there is a key for it; and which address may get that key. */
import { anthropicModel } from '../../agent/models/anthropic.js';
import { modelFromEnvironment } from '../../agent/models/environment.js';
import { openaiModel } from '../../agent/models/openai.js';
import type { Model } from '../../agent/models/port.js';
import { HookError, show } from '../../base/errors.js';
import type { MassgenAgent } from '../../dialects/loaders.js';
import type { Options } from '../command.js';

export type Environment = Readonly<Record<string, string | undefined>>;

type Vendor = 'ANTHROPIC' | 'OPENAI';

export const KEY_OPTIONS = {
  'send-key-to': {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'Send your API key to this `base_url` of a MassGen file too.',
  },
} as const satisfies Options;

export interface ModelSearch {
  readonly env: Environment;
  /** Addresses that the user allows to get the key (`--send-key-to`). */
  readonly sendKeyTo: readonly string[];
  readonly tell: (text: string) => void;
}

/** MassGen's names of backends that speak the API of one of the two. */
const VENDORS: Readonly<Record<string, Vendor>> = {
  claude: 'ANTHROPIC',
  anthropic: 'ANTHROPIC',
  claude_code: 'ANTHROPIC',
  openai: 'OPENAI',
  response: 'OPENAI',
  chatcompletion: 'OPENAI',
  codex: 'OPENAI',
};

const OWN_ADDRESSES: Readonly<Record<Vendor, string>> = {
  ANTHROPIC: 'https://api.anthropic.com',
  OPENAI: 'https://api.openai.com',
};

/**
 * Undefined if there is no key for the agent's backend. Throws a HookError for a `base_url` that is no address or has no
 * model.
 */
export function modelOfAgent(agent: MassgenAgent, search: ModelSearch): Model | undefined {
  const { backend = '', model, baseUrl, apiKey } = agent;
  const { env } = search;
  const vendor = VENDORS[backend];
  if (baseUrl !== undefined) return atAddress(agent, baseUrl, vendor ?? 'OPENAI', search);
  if (vendor === undefined) return undefined;
  const key = apiKey === undefined ? env[`${vendor}_API_KEY`] : resolveKey(apiKey, env);
  if (!key) return undefined;
  const own = {
    [`${vendor}_API_KEY`]: key,
    [`${vendor}_BASE_URL`]: env[`${vendor}_BASE_URL`],
    [`${vendor}_MODEL`]: env[`${vendor}_MODEL`],
  };
  return modelFromEnvironment(own, model === undefined ? {} : { model });
}

/** What an agent's backend is called in messages. */
export function nameOfModel({ backend, model }: MassgenAgent): string {
  return [backend, model].filter(Boolean).join(' ') || 'no model';
}

/**
 * A file chooses the address, and must not choose who gets the user's key: it goes to the vendor itself, to the address
 * that the user has set in the environment, and to those that the user names. Others get the key of the file, or none.
 */
function atAddress(agent: MassgenAgent, baseURL: string, vendor: Vendor, search: ModelSearch): Model {
  const { id, model, apiKey } = agent;
  const { env, sendKeyTo, tell } = search;
  if (model === undefined)
    throw new HookError(
      'invalid_option',
      `The backend at ${baseURL} has no \`model\`; name one in the file.`,
    );
  const origin = originOf(baseURL, `\`base_url\` of ${id}`);
  const trusted = [OWN_ADDRESSES[vendor], env[`${vendor}_BASE_URL`]].flatMap((url) =>
    url ? [originOf(url, `${vendor}_BASE_URL`)] : [],
  );
  const isTrusted = [...trusted, ...sendKeyTo.map((url) => originOf(url, '--send-key-to'))].includes(origin);
  const variable = apiKey === undefined ? `${vendor}_API_KEY` : variableOf(apiKey);
  const own = variable === undefined ? apiKey : undefined;
  const ofUser = variable === undefined ? undefined : env[variable] || undefined;
  if (!isTrusted && ofUser !== undefined)
    tell(
      `${id}: the file names the address ${origin}, so it does not get your ${variable}. If it should, give --send-key-to ${origin}.`,
    );
  const options = {
    model,
    baseURL,
    apiKey: own ?? (isTrusted ? ofUser : undefined) ?? 'none',
    ...(!isTrusted && { isolated: true }),
  };
  return vendor === 'ANTHROPIC' ? anthropicModel(options) : openaiModel(options);
}

/** `$NAME` and `${NAME}` in a file stand for a variable of the user. */
function variableOf(apiKey: string): string | undefined {
  return /^\$(?:\{(\w+)\}|(\w+))$/.exec(apiKey)?.slice(1).find(Boolean);
}

function resolveKey(apiKey: string, env: Environment): string | undefined {
  const variable = variableOf(apiKey);
  return variable === undefined ? apiKey : env[variable];
}

function originOf(url: string, what: string): string {
  try {
    const { protocol, origin } = new URL(url);
    if (protocol === 'https:' || protocol === 'http:') return origin;
  } catch {
    // Reported below.
  }
  throw new HookError('invalid_option', `${what} is ${show(url)}; give an address like https://host/v1.`);
}
