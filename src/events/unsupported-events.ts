/** Events that other hosts fire and hookline does not: hooks for them can be in a file, but never run. */

const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  'Claude Code': [
    'PostToolBatch',
    'UserPromptExpansion',
    'PermissionDenied',
    'TaskCreated',
    'ConfigChange',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
    'WorktreeCreate',
    'WorktreeRemove',
    'MessageDisplay',
    'PreModelSwitch',
    'PostModelSwitch',
  ],
};

/** The name of the host that fires this event; undefined if no known host does. */
export function hostFiring(event: string): string | undefined {
  return Object.keys(UNSUPPORTED).find((host) => UNSUPPORTED[host]?.includes(event));
}
