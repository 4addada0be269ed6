/** Events that other hosts fire and an agent loop here does not: a hook for one of them is kept, and never runs. */

const OF_CLAUDE_CODE: ReadonlySet<string> = new Set([
  'PostToolBatch',
  'UserPromptExpansion',
  'StopFailure',
  'PermissionDenied',
  'TaskCreated',
  'ConfigChange',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'Elicitation',
  'ElicitationResult',
  'MessageDisplay',
  'PreModelSwitch',
  'PostModelSwitch',
]);

export function isForeignEvent(name: string): boolean {
  return OF_CLAUDE_CODE.has(name);
}
