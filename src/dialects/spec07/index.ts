/** The default dialect: what is registered in code. */
import type { Dialect } from '../../config/dialect.js';
import { interpret } from './interpret.js';
import { compileMatcher, lintMatcher } from './matcher.js';

export const spec07: Dialect = Object.freeze({
  name: 'spec07',
  order: 'sequential',
  namesCommands: true,
  async: { waits: true, unitMs: 1000, defaultMs: 30_000 },
  compileMatcher,
  lintMatcher,
  interpret,
});
