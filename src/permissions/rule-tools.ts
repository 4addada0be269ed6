/** The tools whose rules have a specifier, and how each interprets it. */
import { suggest } from '../base/text/suggest.js';
import { type CommandPattern, compileCommandPattern, judgeCommands } from './rule-bash.js';
import { type Judge, UNREADABLE } from './rule-judge.js';
import { compilePath, judgePath } from './rule-path.js';
import {
  judgeAgent,
  judgeDomain,
  judgeParameter,
  judgeSkill,
  type Parameter,
  readParameter,
} from './rule-value.js';

export interface PathField {
  readonly field: string;
  /** Without a path it works on the whole directory. */
  readonly orCwd: boolean;
}

/** The path field of each file tool. */
const PATH_FIELDS: Readonly<Record<string, PathField>> = {
  Read: { field: 'file_path', orCwd: false },
  Edit: { field: 'file_path', orCwd: false },
  Write: { field: 'file_path', orCwd: false },
  MultiEdit: { field: 'file_path', orCwd: false },
  NotebookEdit: { field: 'notebook_path', orCwd: false },
  NotebookRead: { field: 'notebook_path', orCwd: false },
  Glob: { field: 'path', orCwd: true },
  Grep: { field: 'path', orCwd: true },
  LS: { field: 'path', orCwd: true },
};

/** `Read(…)` applies to everything that reads files, `Edit(…)` to everything that changes them. */
const FILE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  Read: ['Glob', 'Grep', 'LS', 'NotebookRead'],
  Edit: ['MultiEdit', 'NotebookEdit', 'Write'],
};

/** One tool with two names. */
const ALIASES: Readonly<Record<string, string>> = { Task: 'Agent', Agent: 'Task' };
/** The parameters other than the command that a Bash rule can match. `command` could be bypassed with `;`. */
const BASH_PARAMETERS = new Set(['run_in_background', 'timeout', 'description', 'dangerouslyDisableSandbox']);

export function sameTool(one: string, other: string): boolean {
  return one === other || (Object.hasOwn(ALIASES, one) && ALIASES[one] === other);
}

export function fileToolsOf(tool: string): readonly string[] {
  return (Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined) ?? [];
}

/** The path field of a tool, if it reads or edits files. */
export function pathFieldOf(tool: string): PathField | undefined {
  return Object.hasOwn(PATH_FIELDS, tool) ? PATH_FIELDS[tool] : undefined;
}

export function editsFiles(tool: string): boolean {
  return tool === 'Edit' || fileToolsOf('Edit').includes(tool);
}

/** It reveals whether a text is in the file, which is a way to read it. */
export function needsContent(tool: string): boolean {
  return editsFiles(tool) && tool !== 'Write';
}

/** The pattern for single commands; undefined for rules of other tools and about other parameters. */
export function commandPatternOf(tool: string, specifier: string): CommandPattern | undefined {
  if (tool !== 'Bash' || judgeBashParameter(specifier) !== undefined) return undefined;
  return compileCommandPattern(specifier);
}

/** How a rule of this tool judges a call, or a clause that says why its specifier is invalid. */
export function judgeOf(tool: string, specifier: string): Judge | string {
  const file = pathFieldOf(tool);
  if (file !== undefined) return judgeFile(tool, specifier, file);
  const parameter = readParameter(specifier);
  if (tool === 'Bash')
    return judgeBashParameter(specifier) ?? judgeCommands(compileCommandPattern(specifier));
  if (tool === 'WebFetch') return judgeFetch(parameter);
  if (tool === 'Skill' && (parameter === undefined || parameter.value === '*')) return judgeSkill(specifier);
  if (sameTool('Agent', tool)) return judgeAgent(specifier, parameter);
  if (parameter !== undefined) return judgeParameter(parameter);
  const meant = misspelt(tool);
  return meant === undefined ? judgeUnclear : `there is no tool ${tool}; did you mean \`${meant}(…)\`?`;
}

/** The meaning of an unknown tool's specifier is unknown: it may match any call. */
export const judgeUnclear: Judge = () => UNREADABLE;

/** Existing tools with names similar to others. */
const OTHERS = ['WebSearch', 'LSP'];
const WITH_SPECIFIERS = [...Object.keys(PATH_FIELDS), ...Object.keys(ALIASES), 'Bash', 'WebFetch', 'Skill'];

/** The tool that was probably intended, if this is nearly its name: `bash`, `Wirte`. */
export function misspelt(tool: string): string | undefined {
  const isName = [...WITH_SPECIFIERS, ...OTHERS].includes(tool) || /\*|^mcp__/.test(tool);
  return isName ? undefined : suggest(tool, WITH_SPECIFIERS);
}

function judgeFile(tool: string, specifier: string, { field, orCwd }: PathField): Judge | string {
  if (specifier.startsWith('!')) return 'negation with `!` is not supported';
  if (specifier.startsWith(`${field}:`)) return `write the path itself, as in \`${tool}(src/**)\``;
  return judgePath(compilePath(specifier), field, orCwd);
}

/** Undefined if the specifier is about the command. */
function judgeBashParameter(specifier: string): Judge | string | undefined {
  const parameter = readParameter(specifier);
  if (parameter === undefined || specifier.endsWith(':*')) return undefined;
  if (parameter.name === 'command') return 'write the command itself, as in `Bash(rm *)`';
  return BASH_PARAMETERS.has(parameter.name) ? judgeParameter(parameter) : undefined;
}

function judgeFetch(parameter: Parameter | undefined): Judge | string {
  if (parameter?.name === 'domain' && parameter.value !== '') return judgeDomain(parameter.value);
  if (parameter === undefined || ['domain', 'http', 'https', 'url'].includes(parameter.name))
    return 'write the host as `WebFetch(domain:example.com)`';
  return judgeParameter(parameter);
}
