/** The fallback model of a run if none is configured: it obeys a few commands, so that hooks can be seen at work. */
import { SAID_MEANWHILE } from '../../agent/loop/messages.js';
import type { ContentBlock, Model, ModelRequest, ToolResultBlock } from '../../agent/models/port.js';
import { cutText } from '../../base/text/cut-text.js';
import { parseFrames } from '../../injection/frame.js';
import { type Call, embeddedModel, HOW_TO_GET_A_MODEL, type Step } from '../embedded-model.js';

interface Command {
  readonly usage: string;
  readonly pattern: RegExp;
  readonly call: (one: string, other: string) => Call;
}

const COMMANDS: readonly Command[] = [
  {
    usage: '! LINE: runs a shell line',
    pattern: /^!\s*(\S[\s\S]*)$/,
    call: (command) => ({ name: 'Bash', input: { command, description: 'As you asked' } }),
  },
  {
    usage: 'read FILE: reads a file',
    pattern: /^read\s+(\S.*)$/i,
    call: (file) => ({ name: 'Read', input: { file_path: file } }),
  },
  {
    usage: 'write FILE …: writes the rest into the file',
    pattern: /^write\s+(\S+)(?:\s+([\s\S]*))?$/i,
    call: (file, content) => ({ name: 'Write', input: { file_path: file, content: `${content}\n` } }),
  },
  {
    usage: 'task …: gives the rest to a subagent',
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
  const said = content.flatMap(saidIn);
  const calls = said.flatMap(callsFor);
  if (calls.length > 0) return { text: 'As you asked.', calls };
  const results = [...new Set(content.filter(isResult).map(watched ? shortReport : reportOf))];
  const texts = said.length > 0 || results.length === 0 ? [...results, aboutName(said) ?? ABOUT] : results;
  return { text: texts.join('\n\n') };
}

/** What a person reads who typed the name of a skill or a command. */
function aboutName(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const [, loaded] = /^<command-name>\/(\S+)<\/command-name>/.exec(text) ?? [];
    if (loaded !== undefined)
      return `Loaded ${loaded}. If it has hooks, they run from now on. The embedded model does not follow its text. ${HOW_TO_GET_A_MODEL}`;
    const [, unknown] = /^\/([\w:-]+)(?:\s|$)/.exec(text) ?? [];
    if (unknown !== undefined) return `There is no command or skill /${unknown}.`;
  }
  return undefined;
}

function callsFor(text: string): Call[] {
  for (const { pattern, call } of COMMANDS) {
    const [, one, other = ''] = pattern.exec(text) ?? [];
    if (one !== undefined) return [call(one, other)];
  }
  return [];
}

/**
 * What a person says in a part of the last message: prompts, also after an interrupted call, and what they typed or put into a
 * mailbox while a tool ran. What hooks and other agents say is no command.
 */
function saidIn(block: ContentBlock): string[] {
  if (block.type === 'tool_result')
    return typeof block.content === 'string' ? [] : block.content.flatMap((part) => framedIn(textOf(part)));
  if (block.type !== 'text' || block.text.startsWith('<system-reminder>')) return [];
  if (parseFrames(block.text).length > 0) return framedIn(block.text);
  const { text } = block;
  return [text.slice(text.startsWith(SAID_MEANWHILE) ? SAID_MEANWHILE.length : 0).trim()];
}

const framedIn = (text: string): string[] =>
  parseFrames(text).flatMap(({ source, content }) => (source.kind === 'human' ? [content.trim()] : []));

const shortReport = ({ is_error }: ToolResultBlock): string =>
  is_error === true ? 'The call did not succeed.' : 'Done.';

function reportOf({ content, is_error }: ToolResultBlock): string {
  const parts =
    typeof content === 'string'
      ? [content]
      : content.map(textOf).filter((part) => parseFrames(part).length === 0);
  const text = cutText(parts.join('\n').trim(), MAX_SHOWN);
  if (is_error === true) return `The call did not succeed: ${text}`;
  return text === '' ? 'Done. The tool returned nothing.' : `Done. The tool returned:\n\n${text}`;
}

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === 'tool_result';

function textOf(block: Exclude<ToolResultBlock['content'], string>[number]): string {
  return 'text' in block ? block.text : `(${block.type})`;
}
