/** The dialects that can be chosen by name. */

import { HookError, show } from '../base/errors.js';
import { DIALECT_NAMES, type Dialect, type DialectName } from '../config/dialect.js';
import { claudeCode } from './claude-code/index.js';
import { hookline } from './hookline/index.js';
import { massgen } from './massgen/index.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  hookline,
  spec07: hookline,
  'claude-code': claudeCode,
  massgen,
};

export function resolveDialect(dialect: Dialect | string | undefined): Dialect {
  if (dialect === undefined) return hookline;
  if (isDialect(dialect)) return dialect;
  if (typeof dialect === 'string' && Object.hasOwn(DIALECTS, dialect))
    return DIALECTS[dialect as DialectName];
  const names = DIALECT_NAMES.join(', ');
  throw new HookError('invalid_option', `There is no dialect ${show(dialect)}; known ones: ${names}.`);
}

function isDialect(value: unknown): value is Dialect {
  if (typeof value !== 'object' || value === null) return false;
  const { interpret, compileMatcher, async } = value as Partial<Dialect>;
  return typeof interpret === 'function' && typeof compileMatcher === 'function' && typeof async === 'object';
}
