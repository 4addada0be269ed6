/** Permission rules: `Tool`, `Tool(specifier)`, `mcp__server`; and the condition `if` of a hook, which is one. */
import { homedir } from 'node:os';
import { HookError, show } from '../base/errors.js';
import { matchesWildcard } from '../base/text/wildcard.js';
import type { CommandPattern } from './rule-bash.js';
import { EVERY_CALL, type Judge, type Judgement, type RuleContext } from './rule-judge.js';
import { commandPatternOf, fileToolsOf, judgeOf, judgeUnclear, sameTool } from './rule-tools.js';

export type { Judgement, RuleContext } from './rule-judge.js';

export interface PermissionRule {
  /** As it is written. */
  readonly text: string;
  readonly tool: string;
  /** What stands in the parentheses; absent when the rule is about every call of the tool. */
  readonly specifier?: string;
  /** What it says about an input of its tool. */
  readonly judge: Judge;
  /** What it says about one command of a shell line. */
  readonly command?: CommandPattern;
  /** A rule about the files that are edited is about every tool that edits files, and so with reading. */
  readonly shared: ReadonlyMap<string, Judge>;
  /** The specifiers of this tool are not known: the rule is about every call of it, and allows none. */
  readonly unclear?: true;
}

const NOT_SHARED: ReadonlyMap<string, Judge> = new Map();

const MAX_RULE = 4096;
const TOOL_NAME = /^[\w*:.-]+$/;
/** An mcp server without a tool: every tool of it. */
const MCP_SERVER = /^mcp__(?:(?!__).)+$/;
const MCP_TOOLS = /^mcp__[^*]+?__.*\*/;
const SEVERAL_RULES = /\)\s*(?:&&|\|\||[,|])\s*[A-Za-z_]\w*\(/;

/** Throws a HookError, code `invalid_option`, for what is no rule or could never mean anything. */
export function compileRule(text: string): PermissionRule {
  if (typeof text !== 'string') throw refuse(text, 'it is not a text');
  if (text.length > MAX_RULE) throw refuse(text, `it has more than ${MAX_RULE} characters`);
  if (SEVERAL_RULES.test(text)) throw refuse(text, 'it holds several rules; write each one by itself');
  const rule = text.trim();
  const open = rule.indexOf('(');
  const tool = open < 0 ? rule : rule.slice(0, open);
  if (tool === '') throw refuse(text, 'it names no tool; write `Bash` or `Bash(git *)`');
  if (open >= 0 && !rule.endsWith(')')) throw refuse(text, 'its parenthesis is not closed at its end');
  if (!TOOL_NAME.test(tool)) throw refuse(text, `${show(tool)} is no name of a tool`);
  if (open < 0) return { text, tool, judge: everyCall, shared: NOT_SHARED };
  const specifier = rule.slice(open + 1, -1).trim();
  if (specifier === '') throw refuse(text, 'its parentheses are empty; leave them out to mean every call');
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

/** Whether a rule that forbids or asks catches a call: some part of it is enough. */
export function ruleMatches(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  return judgeFor(rule, toolName)?.(toolInput, context).matches ?? false;
}

/** Whether a rule may be about some part of a call. */
export function ruleApplies(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  return judgeFor(rule, toolName)?.(toolInput, context).applies ?? false;
}

/** Whether a rule that allows is enough for a call: every part of it has to be named. */
export function ruleCoversAll(
  rule: PermissionRule,
  toolName: string,
  toolInput: unknown,
  context: RuleContext,
): boolean {
  if (!canCover(rule)) return false;
  return judgeFor(rule, toolName)?.(toolInput, context).covers ?? false;
}

/** A star in the name of a tool may stand for a tool that nobody thought of, unless it is one server's. */
export function canCover({ tool }: PermissionRule): boolean {
  return !tool.includes('*') || MCP_TOOLS.test(tool);
}

/**
 * The `if` of a hook: whether the hook is meant for an input. Inputs without a tool never are. Throws as `compileRule`.
 * The paths in an input are relative to its `cwd`.
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

/** Each file tool has its path in a field of its own. */
function shareFiles(tool: string, specifier: string): ReadonlyMap<string, Judge> {
  const judges = fileToolsOf(tool).map((name) => [name, judgeOf(name, specifier)] as const);
  return new Map(judges.filter((entry): entry is [string, Judge] => typeof entry[1] === 'function'));
}

function everyCall(): Judgement {
  return EVERY_CALL;
}

function refuse(text: unknown, why: string): HookError {
  return new HookError('invalid_option', `The permission rule ${show(text)} cannot be used: ${why}.`);
}
