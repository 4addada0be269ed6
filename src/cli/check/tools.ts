/** The names of tools that matchers usually refer to: those of this library, and those of Claude Code. */

/** As in `builtInTools`, which would load the tools themselves. */
export const OF_HOOKLINE: readonly string[] = [
  'Bash',
  'BashOutput',
  'KillShell',
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'Agent',
  'SendMessage',
];

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
  return [...new Set([...OF_HOOKLINE, ...OF_CLAUDE_CODE, ...more])];
}
