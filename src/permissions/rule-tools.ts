/** The table of tools whose rules have a specifier: what it means for each, and which field is the tool's path. */
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

interface RuleTool {
  /** How a rule judges a call, or a clause that says why the specifier is invalid. Default: as for any other tool. */
  judge?(specifier: string, tool: string): Judge | string | undefined;
  /** For tools that work on files. */
  readonly path?: PathField;
  /** The rule that applies to this tool too: `Read(…)` to all that read files, `Edit(…)` to all that change them. */
  readonly sharedRule?: 'Read' | 'Edit';
  /** Its other name. */
  readonly alias?: string;
}

const file = (field: string, sharedRule?: 'Read' | 'Edit'): RuleTool => ({
  judge: judgeFile,
  path: { field, orCwd: false },
  ...(sharedRule && { sharedRule }),
});

const search: RuleTool = { judge: judgeFile, path: { field: 'path', orCwd: true }, sharedRule: 'Read' };

/** A new form of rule is one entry here. Tools without an entry have `Tool(name:value)` only. */
const RULE_TOOLS: Readonly<Record<string, RuleTool>> = {
  Bash: {
    judge: (specifier) => judgeBashParameter(specifier) ?? judgeCommands(compileCommandPattern(specifier)),
  },
  Read: file('file_path'),
  Edit: file('file_path'),
  Write: file('file_path', 'Edit'),
  MultiEdit: file('file_path', 'Edit'),
  NotebookEdit: file('notebook_path', 'Edit'),
  NotebookRead: file('notebook_path', 'Read'),
  Glob: search,
  Grep: search,
  LS: search,
  WebFetch: { judge: (specifier) => judgeFetch(readParameter(specifier)) },
  Skill: { judge: judgeSkillOrParameter },
  Agent: { judge: (specifier) => judgeAgent(specifier, readParameter(specifier)), alias: 'Task' },
  Task: { judge: (specifier) => judgeAgent(specifier, readParameter(specifier)), alias: 'Agent' },
};

/** Existing tools without specifiers whose names are similar to others. */
const OTHERS = ['WebSearch', 'LSP'];

/** The parameters other than the command that a Bash rule can match. `command` could be bypassed with `;`. */
const BASH_PARAMETERS = new Set(['run_in_background', 'timeout', 'description', 'dangerouslyDisableSandbox']);

const entryOf = (tool: string): RuleTool | undefined =>
  Object.hasOwn(RULE_TOOLS, tool) ? RULE_TOOLS[tool] : undefined;

export function sameTool(one: string, other: string): boolean {
  return one === other || entryOf(one)?.alias === other;
}

/** The other tools that a rule of this tool applies to. */
export function fileToolsOf(tool: string): readonly string[] {
  return Object.keys(RULE_TOOLS).filter((name) => RULE_TOOLS[name]?.sharedRule === tool);
}

/** The path field of a tool, if it reads or edits files. */
export function pathFieldOf(tool: string): PathField | undefined {
  return entryOf(tool)?.path;
}

export function editsFiles(tool: string): boolean {
  return tool === 'Edit' || entryOf(tool)?.sharedRule === 'Edit';
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
  const judge = entryOf(tool)?.judge?.(specifier, tool);
  if (judge !== undefined) return judge;
  const parameter = readParameter(specifier);
  if (parameter !== undefined) return judgeParameter(parameter);
  const meant = misspelt(tool);
  return meant === undefined ? judgeUnclear : `there is no tool ${tool}; did you mean \`${meant}(…)\`?`;
}

/** The meaning of an unknown tool's specifier is unknown: it may match any call. */
export const judgeUnclear: Judge = () => UNREADABLE;

/** The tool that was probably intended, if this is nearly its name: `bash`, `Wirte`. */
export function misspelt(tool: string): string | undefined {
  const names = Object.keys(RULE_TOOLS);
  const isName = [...names, ...OTHERS].includes(tool) || /\*|^mcp__/.test(tool);
  return isName ? undefined : suggest(tool, names);
}

function judgeFile(specifier: string, tool: string): Judge | string {
  const { field, orCwd } = pathFieldOf(tool) as PathField;
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

/** `plugin:*` is a skill; any other `name:value` is a parameter. */
function judgeSkillOrParameter(specifier: string): Judge | undefined {
  const parameter = readParameter(specifier);
  return parameter === undefined || parameter.value === '*' ? judgeSkill(specifier) : undefined;
}
