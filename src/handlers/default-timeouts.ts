/** The default timeouts of hooks, in seconds. A test compares them with the guide and the specification. */

export const DEFAULT_TIMEOUTS = {
  /** For everything below that does not say otherwise. */
  hook: 60,
  /** By kind: a hook that asks a model. */
  prompt: 30,
  agent: 60,
  /** By ecosystem: MassGen's YAML, and Claude settings, where some events have their own. */
  massgen: 30,
  claudeCode: 600,
  claudeCodePrompt: 30,
  claudeCodeDisplay: 10,
  claudeCodeExit: 1.5,
} as const;
