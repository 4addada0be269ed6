/** The dialect of Claude settings files, as the real Claude Code was seen to speak it. */
import type { Dialect } from '../../config/dialect.js';
import { readBackground } from '../background.js';
import { interpretFault } from '../fault.js';
import { interpretReturned } from '../returned.js';
import { interpretExit, withoutEmptyContinue } from './exit.js';
import { compileMatcher, doubtMatcher } from './matcher.js';

export const claudeCode: Dialect = Object.freeze<Dialect>({
  name: 'claude-code',
  order: 'parallel',
  async: { waits: false, unitMs: 1, defaultMs: 600_000 },
  compileMatcher,
  doubtMatcher,
  interpret(event, completion) {
    if (completion.kind === 'returned') {
      return withoutEmptyContinue(interpretReturned(event, completion.output, this.async));
    }
    if (completion.kind === 'exited') return interpretExit(event, completion);
    if (completion.kind === 'detached')
      return readBackground(completion.asyncTimeout, completion.follow, this.async);
    return interpretFault(completion);
  },
});
