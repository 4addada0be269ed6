/** The model of each agent of a team: what the file names, as far as there is a key for it. */
import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { modelFromEnvironment } from '../../agent/models/environment.js';
import type { Model } from '../../agent/models/port.js';
import { scriptedModel } from '../../agent/models/scripted.js';
import { readScript } from '../../agent/models/scripted-schema.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import type { MassgenAgent } from '../../dialects/loaders.js';
import { type ModelSearch, modelOfAgent, nameOfModel } from '../massgen/agent-model.js';
import { embeddedTeamModel } from './embedded-model.js';

type ModelFor = (agent: MassgenAgent) => Model;

/**
 * `chosen`: a model for all agents. A backend without a key is answered by the model there is a key for, and without
 * any key by the embedded model; `tell` says so.
 */
export function modelsFromEnvironment(search: ModelSearch, chosen: string | undefined): ModelFor {
  const { env, tell } = search;
  return (agent) => {
    if (chosen !== undefined) return modelFromEnvironment(env, { model: chosen }) ?? refuse();
    const found = modelOfAgent(agent, search);
    if (found !== undefined) return found;
    const missing = `${agent.id}: there is no key for ${nameOfModel(agent)}`;
    const other = modelFromEnvironment(env);
    tell(
      other === undefined
        ? `${missing}, so the embedded model only demonstrates its part. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or give --script FILE.`
        : `${missing}, so ${other.name} answers.`,
    );
    return other ?? embeddedTeamModel();
  };
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
