/** Agents for loops under test: kinds with scripts of their own, and the calls that start them. */
import type { AgentDefinition } from '../../../../src/agent/loop/options.js';
import type { ModelRequest } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';

export interface Kind {
  readonly definition: AgentDefinition;
  /** What its model was asked. */
  readonly requests: readonly ModelRequest[];
}

export function kind(turns: readonly ScriptedTurn[], more: Partial<AgentDefinition> = {}): Kind {
  const model = scriptedModel(turns, { name: 'own-model' });
  return {
    definition: { description: 'works', prompt: 'You work.', model, ...more },
    requests: model.requests,
  };
}

/** A call of the Agent tool. */
export const start = (
  subagent_type: string,
  more: Record<string, unknown> = {},
): { name: string; id?: string; input: object } => ({
  name: 'Agent',
  input: {
    description: `Let ${subagent_type} work`,
    prompt: `Work, ${subagent_type}.`,
    subagent_type,
    ...more,
  },
});

export const note = (text: string): { name: string; input: object } => ({
  name: 'TaskCreate',
  input: { subject: text },
});
