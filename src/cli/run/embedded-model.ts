/** The fallback model of a run if none is configured: it obeys a few commands, so that hooks can be seen at work. */
import type { ContentBlock, Model, ModelRequest, ToolResultBlock } from '../../agent/models/port.js';
import { cutText } from '../../base/text/cut-text.js';
import { embeddedModel, HOW_TO_GET_A_MODEL, type Step } from '../embedded-model.js';

interface Command {
  readonly usage: string;
  readonly pattern: RegExp;
  readonly call: (one: string, other: string) => NonNullable<Step['call']>;
}

const COMMANDS: readonly Command[] = [
  {
    usage: '! LINE         runs a shell line',
    pattern: /^!\s*(\S[\s\S]*)$/,
    call: (command) => ({ name: 'Bash', input: { command, description: 'As you asked' } }),
  },
  {
    usage: 'read FILE      reads a file',
    pattern: /^read\s+(\S.*)$/i,
    call: (file) => ({ name: 'Read', input: { file_path: file } }),
  },
  {
    usage: 'write FILE …   writes the rest into the file',
    pattern: /^write\s+(\S+)(?:\s+([\s\S]*))?$/i,
    call: (file, content) => ({ name: 'Write', input: { file_path: file, content: `${content}\n` } }),
  },
  {
    usage: 'task …         gives the rest to a subagent',
    pattern: /^task\s+(\S[\s\S]*)$/i,
    call: (prompt) => ({
      name: 'Agent',
      input: { description: 'As you asked', prompt, run_in_background: false },
    }),
  },
];

const ABOUT = [
  'I am the embedded model: I only obey these commands, so that you can see your hooks at work.',
  ...COMMANDS.map(({ usage }) => `  ${usage}`),
  HOW_TO_GET_A_MODEL,
].join('\n');

/** Prompts to try. */
export const EMBEDDED_EXAMPLES: readonly string[] = ['! ls', '! rm -rf build', 'write notes.txt hello'];

const MAX_SHOWN = 2000;

/**
 * Obeys the commands above, reports what a tool returned, and answers anything else with what it is. `watched`: a person sees the
 * tools and their results, so the report does not repeat them.
 */
export function embeddedRunModel({ watched }: { readonly watched: boolean }): Model {
  return embeddedModel((request) => nextStep(request, watched));
}

function nextStep({ messages }: ModelRequest, watched: boolean): Step {
  const content = messages.at(-1)?.content ?? [];
  const result = content.find(isResult);
  if (result !== undefined) return { text: watched ? shortReport(result) : reportOf(result) };
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  for (const text of texts) {
    for (const { pattern, call } of COMMANDS) {
      const [, one, other = ''] = pattern.exec(text) ?? [];
      if (one !== undefined) return { text: 'As you asked.', call: call(one, other) };
    }
  }
  return { text: aboutName(texts) ?? ABOUT };
}

/** What a person reads who typed the name of a skill or a command. */
function aboutName(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const [, loaded] = /^<command-name>\/(\S+)<\/command-name>/.exec(text) ?? [];
    if (loaded !== undefined)
      return `Loaded ${loaded}. Its hooks run from now on. The embedded model does not follow its text. ${HOW_TO_GET_A_MODEL}`;
    const [, unknown] = /^\/([\w:-]+)(?:\s|$)/.exec(text) ?? [];
    if (unknown !== undefined) return `There is no command or skill /${unknown}.`;
  }
  return undefined;
}

const shortReport = ({ is_error }: ToolResultBlock): string =>
  is_error === true ? 'The call did not succeed.' : 'Done.';

function reportOf({ content, is_error }: ToolResultBlock): string {
  const parts = typeof content === 'string' ? [content] : content.map(textOf);
  const text = cutText(parts.join('\n').trim(), MAX_SHOWN);
  if (is_error === true) return `The call did not succeed: ${text}`;
  return text === '' ? 'Done. The tool returned nothing.' : `Done. The tool returned:\n\n${text}`;
}

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === 'tool_result';

function textOf(block: Exclude<ToolResultBlock['content'], string>[number]): string {
  return 'text' in block ? block.text : `(${block.type})`;
}
