/** The names of tools that matchers usually refer to: those of this library, and those of Claude Code. */
import { builtInTools } from '../../agent/tools/built-in.js';

const OF_CLAUDE_CODE: readonly string[] = [
  'Agent',
  'AskUserQuestion',
  'BashOutput',
  'EnterPlanMode',
  'ExitPlanMode',
  'KillShell',
  'LS',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'Skill',
  'SlashCommand',
  'Task',
  'TaskOutput',
  'TaskStop',
  'TodoRead',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
];

export function knownTools(more: readonly string[]): string[] {
  return [...new Set([...builtInTools().map(({ name }) => name), ...OF_CLAUDE_CODE, ...more])];
}
