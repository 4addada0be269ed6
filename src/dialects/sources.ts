/** All ecosystems whose files the command line loads, in the order in which their hooks are registered. */
import { claudeCodeSource } from './claude-code/source.js';
import { hooklineSource } from './hookline/source.js';
import { hostSource } from './host/source.js';
import { massgenSource } from './massgen/source.js';
import type { HookSource } from './source.js';

/** A new ecosystem is one entry here, and its folder. */
const SOURCES = [claudeCodeSource, hooklineSource, massgenSource, hostSource] as const;

export const HOOK_SOURCES: readonly HookSource[] = SOURCES;

/** What the bridge to another host loads: hookline's own files first, so that a hook of both has their options. */
export function bridgeSources(withClaude: boolean): readonly HookSource[] {
  return withClaude ? [hooklineSource, claudeCodeSource] : [hooklineSource];
}

/** The options of all sources, for the command line parser. */
export const SOURCE_OPTIONS = Object.assign({}, ...SOURCES.map(({ options }) => options)) as AllOptions;

type AllOptions = Intersection<(typeof SOURCES)[number]['options']>;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
