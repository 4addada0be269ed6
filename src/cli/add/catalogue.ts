/** The ready guards: what each does, and how it is registered. Their files are in `guard/ready/`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { HookError, show } from '../../base/errors.js';
import { didYouMean } from '../../base/text/suggest.js';
import type { AnyEvent } from '../../events/types.js';

const GUARDS = 'src/guard/ready';

/** One group of hookline.yaml, without its command. */
export interface GuardGroup {
  readonly event: AnyEvent;
  readonly matcher?: string;
  /** In seconds. */
  readonly timeout: number;
  /** Refuse if the hook fails. */
  readonly blocks: boolean;
  readonly allowedEnvVars?: readonly string[];
}

export interface ReadyGuard {
  readonly name: string;
  readonly summary: string;
  readonly groups: readonly GuardGroup[];
}

/** The guards of `guard/ready/catalogue.yaml`. */
export const READY_GUARDS: readonly ReadyGuard[] = parse(
  readFileSync(join(guardsFolder(), 'catalogue.yaml'), 'utf8'),
);

/** Throws a HookError that suggests the probable name. */
export function readyGuard(name: string): ReadyGuard {
  const found = READY_GUARDS.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = READY_GUARDS.map((each) => each.name);
  throw new HookError(
    'invalid_option',
    `There is no guard ${show(name)}.${didYouMean(name, names)} hookline add lists them all.`,
  );
}

/** Where a guard and its test go, relative to the folder. */
export const guardFiles = (name: string): readonly string[] => [
  `hooks/${name}.mjs`,
  `hooks/${name}.hookline.test.yaml`,
];

/** The command that runs a guard. */
export const guardCommand = (name: string): string => `node hooks/${name}.mjs`;

/** The folder of the guards in this package, from the sources or from the build. */
export function guardsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, GUARDS))) folder = dirname(folder);
  return join(folder, GUARDS);
}
