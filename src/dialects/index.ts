/** The dialects that can be chosen by name. */
import type { Dialect } from '../config/dialect.js';
import { HookError, show } from '../errors.js';
import { spec07 } from './spec07/index.js';

const DIALECTS: Readonly<Record<string, Dialect>> = { spec07 };

export function resolveDialect(dialect: Dialect | string | undefined): Dialect {
  if (dialect === undefined) return spec07;
  if (typeof dialect === 'object') return dialect;
  const known = Object.hasOwn(DIALECTS, dialect) ? DIALECTS[dialect] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(DIALECTS).join(', ');
  throw new HookError('invalid_option', `There is no dialect ${show(dialect)}; known ones: ${names}.`);
}
