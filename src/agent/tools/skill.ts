/** Skills: prompts that are loaded when they are needed, by the tool `Skill` or by a prompt such as `/review src`. */
import { z } from 'zod';
import { defineTool, type Tool } from './tool.js';

/** A prompt that the model or the user can load by its name. */
export interface SkillDefinition {
  /** What it is for. The model reads it, and decides by it when to load the skill. */
  readonly description: string;
  /**
   * What the model reads. `$ARGUMENTS` stands for what follows the name, `$0` or `$ARGUMENTS[0]` for its first word. If it has
   * neither, arguments are appended.
   */
  readonly prompt: string;
  /** The directory of the files that belong to it; the model reads its path. */
  readonly folder?: string;
  /** Who may load it. Default: both. */
  readonly loadedBy?: 'model' | 'user';
  /** Where it comes from; hooks see it as `command_source`. */
  readonly source?: string;
}

/** Skills by their names. */
export type Skills = Readonly<Record<string, SkillDefinition>>;

/**
 * The name of the skill for what a person typed after the slash: its name, or the last part of it where only one skill
 * ends with that, such as `greet` for `my-plugin:greet`.
 */
export function skillTyped(typed: string, skills: Skills): string | undefined {
  const names = Object.keys(skills).filter((name) => skills[name]?.loadedBy !== 'model');
  if (names.includes(typed)) return typed;
  const [only, ...others] = names.filter((name) => name.endsWith(`:${typed}`));
  return others.length === 0 ? only : undefined;
}

const WORD = /"([^"]*)"|'([^']*)'|\S+/g;
const PLACEHOLDER = /\$ARGUMENTS(?:\[(\d+)\])?|\$(\d+)(?!\w)/g;

/** What the model reads when a skill is loaded. */
export function skillPrompt({ prompt, folder }: SkillDefinition, args: string): string {
  const words = [...args.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word);
  let isFilled = false;
  // In one pass: what an argument contains is not replaced again.
  const filled = prompt.replaceAll(PLACEHOLDER, (_, listed?: string, short?: string) => {
    isFilled = true;
    const index = listed ?? short;
    return index === undefined ? args : (words[Number(index)] ?? '');
  });
  const files = folder === undefined ? [] : [`The files of this skill are in ${folder}.`];
  return [...files, filled, ...(isFilled || args === '' ? [] : [`ARGUMENTS: ${args}`])].join('\n\n');
}

/** The tool `Skill`, for the skills that the model may load; undefined if there are none. */
export function createSkillTool(skills: Skills): Tool | undefined {
  const ofModel = Object.entries(skills).filter(([, { loadedBy = 'model' }]) => loadedBy === 'model');
  if (ofModel.length === 0) return undefined;
  const list = ofModel.map(([name, { description }]) => `- ${name}: ${description}`);
  return defineTool({
    name: 'Skill',
    description: `Loads the instructions of a skill. Call it before you begin with a task that one of these is for:\n${list.join('\n')}`,
    input: z.strictObject({
      skill: z.string().min(1).describe('The name of the skill'),
      args: z.string().optional().describe('What follows the name'),
    }),
    harmless: true,
    run({ skill, args = '' }, { host }) {
      const [name, definition] = ofModel.find(([each]) => each === skill) ?? [];
      if (name === undefined || definition === undefined)
        return {
          ok: false,
          error: `There is no skill ${JSON.stringify(skill)}. Available: ${ofModel.map(([each]) => each).join(', ')}.`,
        };
      host?.useSkill?.(name);
      return {
        ok: true,
        content: skillPrompt(definition, args.trim()),
        response: { success: true, commandName: name },
      };
    },
  });
}
