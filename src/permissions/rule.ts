/** Permission rules: `Tool`, `Tool(specifier)`, `mcp__server`; also used for the `if` condition of a hook. */
import { homedir } from 'node:os';
import { HookError, show } from '../base/errors.js';
import { matchesWildcard } from '../base/text/wildcard.js';
import type { CommandPattern } from './rule-bash.js';
import { EVERY_CALL, type Judge, type Judgement, type RuleContext } from './rule-judge.js';
import { commandPatternOf, fileToolsOf, judgeOf, judgeUnclear, sameTool } from './rule-tools.js';

export type { Judgement, RuleContext } from './rule-judge.js';

export interface PermissionRule {
  /** As written. */
  readonly text: string;
  readonly tool: string;
  /** The text in parentheses; absent if the rule matches every call of the tool. */
  readonly specifier?: string;
  /** Judges an input of its tool. */
  readonly judge: Judge;
  /** Matches one command of a shell line. */
  readonly command?: CommandPattern;
  /** A rule about edited files applies to every tool that edits files; likewise for reading. */
  readonly shared: ReadonlyMap<string, Judge>;
  /** The specifiers of this tool are unknown: the rule matches every call of it, and allows none. */
  readonly unclear?: true;
}

const NOT_SHARED: ReadonlyMap<string, Judge> = new Map();

const MAX_RULE = 4096;
const TOOL_NAME = /^[\w*:.-]+$/;
/** An MCP server without a tool: matches all its tools. */
const MCP_SERVER = /^mcp__(?:(?!__).)+$/;
const MCP_TOOLS = /^mcp__[^*]+?__.*\*/;
const SEVERAL_RULES = /\)\s*(?:&&|\|\||[,|])\s*[A-Za-z_]\w*\(/;

/** Throws a HookError with code `invalid_option` for an invalid rule, or one that could never match. */
export function compileRule(text: string): PermissionRule {
  if (typeof text !== 'string') throw refuse(text, 'it is not a string');
  if (text.length > MAX_RULE) throw refuse(text, `it has more than ${MAX_RULE} characters`);
  if (SEVERAL_RULES.test(text)) throw refuse(text, 'it contains several rules; write each one separately');
  const rule = text.trim();
  const open = rule.indexOf('(');
  const tool = open < 0 ? rule : rule.slice(0, open);
  if (tool === '') throw refuse(text, 'it names no tool; write `Bash` or `Bash(git *)`');
  if (open >= 0 && !rule.endsWith(')')) throw refuse(text, 'its parenthesis is not closed at its end');
  if (!TOOL_NAME.test(tool)) throw refuse(text, `${show(tool)} is not a tool name`);
  if (open < 0) return { text, tool, judge: everyCall, shared: NOT_SHARED };
  const specifier = rule.slice(open + 1, -1).trim();
  if (specifier === '') throw refuse(text, 'its parentheses are empty; leave them out to match every call');
  if (specifier === '*') return { text, tool, judge: everyCall, shared: NOT_SHARED };
  const judge = judgeOf(tool, specifier);
  if (typeof judge === 'string') throw refuse(text, judge);
  const command = commandPatternOf(tool, specifier);
  return {
    text,
    tool,
    specifier,
    judge,
    shared: shareFiles(tool, specifier),
    ...(command && { command }),
    ...(judge === judgeUnclear && { unclear: true as const }),
  };
}

/** Whether a deny or ask rule matches a call: a part of it is enough. */
export function ruleMatches(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  return judgeFor(rule, toolName)?.(toolInput, context).matches ?? false;
}

/** Whether a rule may match some part of a call. */
export function ruleApplies(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  return judgeFor(rule, toolName)?.(toolInput, context).applies ?? false;
}

/** Whether an allow rule covers a call: every part of it must match. */
export function ruleCoversAll(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  if (!canCover(rule)) return false;
  return judgeFor(rule, toolName)?.(toolInput, context).covers ?? false;
}

/** A wildcard in a tool name may match unexpected tools, unless it is limited to one server. */
export function canCover({ tool }: PermissionRule): boolean {
  return !tool.includes('*') || MCP_TOOLS.test(tool);
}

/**
 * The `if` of a hook: whether the hook applies to an input. Never true for inputs without a tool. Throws as
 * `compileRule` does. Paths in an input are relative to its `cwd`.
 */
export function compileCondition(
  text: string,
  places: Partial<RuleContext> = {},
): (input: Readonly<Record<string, unknown>>) => boolean {
  const rule = compileRule(text);
  const home = places.home ?? homedir();
  return (input) => {
    const { tool_name: tool, tool_input: toolInput, cwd } = input;
    if (typeof tool !== 'string' || !namesTool(rule, tool)) return false;
    const context = { home, root: places.root, cwd: places.cwd ?? (typeof cwd === 'string' ? cwd : '/') };
    return rule.judge(toolInput, context).applies;
  };
}

export function namesTool({ tool }: PermissionRule, name: string): boolean {
  if (sameTool(tool, name)) return true;
  if (tool.includes('*')) return matchesWildcard(tool, name);
  return MCP_SERVER.test(tool) && name.startsWith(`${tool}__`);
}

function judgeFor(rule: PermissionRule, name: string): Judge | undefined {
  return namesTool(rule, name) ? rule.judge : rule.shared.get(name);
}

/** Each file tool has its path in a different field. */
function shareFiles(tool: string, specifier: string): ReadonlyMap<string, Judge> {
  const judges = fileToolsOf(tool).map((name) => [name, judgeOf(name, specifier)] as const);
  return new Map(judges.filter((entry): entry is [string, Judge] => typeof entry[1] === 'function'));
}

function everyCall(): Judgement {
  return EVERY_CALL;
}

function refuse(text: unknown, why: string): HookError {
  return new HookError(
    'invalid_option',
    `The permission rule ${show(text)} cannot be used: ${why}${why.endsWith('?') ? '' : '.'}`,
  );
}
