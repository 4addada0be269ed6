/** Finds the skill that a prompt such as `/review src` loads. */
import type { FireInput } from '../../events/types.js';
import { skillPrompt, skillTyped } from '../tools/skill.js';
import type { Session } from './session.js';

export interface Expansion {
  /** The name of the skill. */
  readonly skill: string;
  /** What hooks of UserPromptExpansion see. */
  readonly input: FireInput<'UserPromptExpansion'>;
  /** The prompt, as scripts that read transcripts expect it. */
  readonly command: string;
  /** What the model is to do. */
  readonly loaded: string;
}

/** Undefined: it is a prompt like any other. */
export function expansionOf({ options }: Pick<Session, 'options'>, prompt: string): Expansion | undefined {
  const { skills = {} } = options;
  const [, typed = '', rest = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  const name = skillTyped(typed, skills);
  const skill = name === undefined ? undefined : skills[name];
  if (name === undefined || skill === undefined) return undefined;
  const args = rest.trim();
  const command = [
    `<command-name>/${name}</command-name>`,
    ...(args === '' ? [] : [`<command-args>${args}</command-args>`]),
  ];
  return {
    skill: name,
    input: {
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args,
      ...(skill.source !== undefined && { command_source: skill.source }),
      prompt,
    },
    command: command.join('\n'),
    loaded: skillPrompt(skill, args),
  };
}
