/** Every ecosystem whose files the command line loads, in the order in which their hooks are registered. */
import { claudeCodeSource } from './claude-code/source.js';
import { massgenSource } from './massgen/source.js';
import type { HookSource } from './source.js';
import { hooklineSource } from './spec07/source.js';

/** A new ecosystem is one entry here, and its folder. */
export const HOOK_SOURCES: readonly HookSource[] = [claudeCodeSource, hooklineSource, massgenSource];

/** The options of all of them, for the parser of the command line. */
export const SOURCE_OPTIONS = {
  ...claudeCodeSource.options,
  ...massgenSource.options,
} as const;
