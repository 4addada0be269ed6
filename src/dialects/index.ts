/** The dialects that can be chosen by name. */

import { HookError, show } from '../base/errors.js';
import { DIALECT_NAMES, type Dialect, type DialectName } from '../config/dialect.js';
import { claudeCode } from './claude-code/index.js';
import { massgen } from './massgen/index.js';
import { spec07 } from './spec07/index.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  hookline: spec07,
  spec07,
  'claude-code': claudeCode,
  massgen,
};

export function resolveDialect(dialect: Dialect | string | undefined): Dialect {
  if (dialect === undefined) return spec07;
  if (isDialect(dialect)) return dialect;
  const known = DIALECT_NAMES.find((name) => name === dialect);
  if (known !== undefined) return DIALECTS[known];
  const names = DIALECT_NAMES.join(', ');
  throw new HookError('invalid_option', `There is no dialect ${show(dialect)}; known ones: ${names}.`);
}

function isDialect(value: unknown): value is Dialect {
  if (typeof value !== 'object' || value === null) return false;
  const { interpret, compileMatcher, async } = value as Partial<Dialect>;
  return typeof interpret === 'function' && typeof compileMatcher === 'function' && typeof async === 'object';
}
