/** The model of each agent of a team: what the file names, as far as there is a key for it. */
import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { anthropicModel } from '../../agent/models/anthropic.js';
import { modelFromEnvironment } from '../../agent/models/environment.js';
import { openaiModel } from '../../agent/models/openai.js';
import type { Model } from '../../agent/models/port.js';
import { scriptedModel } from '../../agent/models/scripted.js';
import { readScript } from '../../agent/models/scripted-schema.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import type { MassgenAgent } from '../../dialects/loaders.js';
import { embeddedTeamModel } from './embedded-model.js';

type Environment = Readonly<Record<string, string | undefined>>;
type ModelFor = (agent: MassgenAgent) => Model;

/** MassGen's names of backends that speak the API of one of the two. */
const VENDORS: Readonly<Record<string, 'ANTHROPIC' | 'OPENAI'>> = {
  claude: 'ANTHROPIC',
  anthropic: 'ANTHROPIC',
  claude_code: 'ANTHROPIC',
  openai: 'OPENAI',
  response: 'OPENAI',
  chatcompletion: 'OPENAI',
  codex: 'OPENAI',
};

/**
 * `chosen`: a model for all agents. A backend without a key is answered by the model there is a key for, and without
 * any key by the embedded model; `tell` says so.
 */
export function modelsFromEnvironment(
  env: Environment,
  chosen: string | undefined,
  tell: (text: string) => void,
): ModelFor {
  return (agent) => {
    if (chosen !== undefined) return modelFromEnvironment(env, { model: chosen }) ?? refuse();
    const { id, backend = '', model, baseUrl } = agent;
    const vendor = VENDORS[backend];
    if (baseUrl !== undefined) return atAddress(agent, baseUrl, env);
    if (vendor !== undefined && env[`${vendor}_API_KEY`]) {
      const only = { [`${vendor}_API_KEY`]: env[`${vendor}_API_KEY`] };
      const url = { [`${vendor}_BASE_URL`]: env[`${vendor}_BASE_URL`] };
      const other = { [`${vendor}_MODEL`]: env[`${vendor}_MODEL`] };
      const found = modelFromEnvironment({ ...only, ...url, ...other }, model === undefined ? {} : { model });
      if (found !== undefined) return found;
    }
    const named = [backend, model].filter(Boolean).join(' ') || 'no model';
    const other = modelFromEnvironment(env);
    tell(
      other === undefined
        ? `${id}: there is no key for ${named}, so the embedded model only demonstrates its part. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or give --script FILE.`
        : `${id}: there is no key for ${named}, so ${other.name} answers.`,
    );
    return other ?? embeddedTeamModel();
  };
}

/** An address of its own may need no key at all. */
function atAddress(
  { backend = '', model, baseUrl = '' }: MassgenAgent,
  baseURL: string,
  env: Environment,
): Model {
  if (model === undefined)
    throw new HookError(
      'invalid_option',
      `The backend at ${baseUrl} has no \`model\`; name one in the file.`,
    );
  if (VENDORS[backend] === 'ANTHROPIC')
    return anthropicModel({ model, baseURL, apiKey: env['ANTHROPIC_API_KEY'] || 'none' });
  return openaiModel({ model, baseURL, apiKey: env['OPENAI_API_KEY'] || 'none' });
}

function refuse(): never {
  throw new HookError(
    'invalid_option',
    '--model needs a key: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or give --script FILE.',
  );
}

/**
 * A script for all agents, or a mapping from the id of an agent to its script. Rejects with a HookError for a file that
 * cannot be used.
 */
export async function modelsFromScript(file: string): Promise<ModelFor> {
  const fail = (cause: unknown): HookError =>
    new HookError('invalid_option', `The script ${show(file)} cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  let content: unknown;
  try {
    content = parseYaml(await readFile(file, 'utf8'));
  } catch (error) {
    throw fail(error);
  }
  const isForAll =
    Array.isArray(content) || (typeof content === 'object' && content !== null && 'turns' in content);
  return ({ id }) => {
    const script = isForAll ? content : (content as Record<string, unknown> | null)?.[id];
    if (script === undefined) throw fail(new Error(`it has no script for the agent ${show(id)}`));
    try {
      return scriptedModel(readScript(script));
    } catch (error) {
      throw fail(error);
    }
  };
}
