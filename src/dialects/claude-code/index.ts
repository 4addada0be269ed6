/** The dialect of Claude settings files, as the real Claude Code was seen to speak it. */
import type { Dialect } from '../../config/dialect.js';
import { rowOf } from '../../events/schemas.js';
import { readBackground } from '../background.js';
import { interpretFault } from '../fault.js';
import { interpretReturned } from '../returned.js';
import { interpretExit, withoutEmptyContinue } from './exit.js';
import { compileMatcher, doubtMatcher } from './matcher.js';

/** How long Claude Code waits, in seconds. */
const PATIENCE = { work: 600, prompt: 30, exit: 1.5 } as const;

/** Not every event tells the permission mode there. */
const encode: NonNullable<Dialect['encode']> = (event, input) => {
  if (rowOf(event).tellsPermissionMode) return input;
  const { permission_mode: _, ...rest } = input;
  return rest;
};

export const claudeCode: Dialect = Object.freeze<Dialect>({
  name: 'claude-code',
  order: 'parallel',
  namesCommands: false,
  timeout: (event) => PATIENCE[rowOf(event).patience],
  encode,
  async: { waits: false, unitMs: 1, defaultMs: 600_000 },
  compileMatcher,
  doubtMatcher,
  interpret(event, completion) {
    if (completion.kind === 'returned') {
      return withoutEmptyContinue(interpretReturned(event, completion, this.async));
    }
    if (completion.kind === 'exited') return interpretExit(event, completion);
    if (completion.kind === 'detached')
      return readBackground(completion.asyncTimeout, completion.follow, this.async);
    return interpretFault(completion);
  },
});
