/** The dialects that can be chosen by name. */

import { HookError, show } from '../base/errors.js';
import type { Dialect } from '../config/dialect.js';
import { claudeCode } from './claude-code/index.js';
import { massgen } from './massgen/index.js';
import { spec07 } from './spec07/index.js';

const DIALECTS: Readonly<Record<string, Dialect>> = {
  hookline: spec07,
  // Its name in the specification that it follows.
  spec07,
  'claude-code': claudeCode,
  massgen,
};

export function resolveDialect(dialect: Dialect | string | undefined): Dialect {
  if (dialect === undefined) return spec07;
  if (isDialect(dialect)) return dialect;
  const known =
    typeof dialect === 'string' && Object.hasOwn(DIALECTS, dialect) ? DIALECTS[dialect] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(DIALECTS).join(', ');
  throw new HookError('invalid_option', `There is no dialect ${show(dialect)}; known ones: ${names}.`);
}

function isDialect(value: unknown): value is Dialect {
  if (typeof value !== 'object' || value === null) return false;
  const { interpret, compileMatcher, async } = value as Partial<Dialect>;
  return typeof interpret === 'function' && typeof compileMatcher === 'function' && typeof async === 'object';
}
