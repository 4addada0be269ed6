/** How the default dialect reads the end of a run: JSON or nothing; anything else is a failure. */
import type { Dialect } from '../../config/dialect.js';
import type { AnyEvent } from '../../events/types.js';
import type { Completion } from '../../handlers/completion.js';
import type { Verdict } from '../../handlers/verdict.js';
import { readBackground } from '../background.js';
import { interpretFault } from '../fault.js';
import { interpretReturned } from '../returned.js';
import { interpretExit } from './exit.js';

export function interpret(this: Dialect, event: AnyEvent, completion: Completion): Verdict {
  if (completion.kind === 'returned') return interpretReturned(event, completion, this.async);
  if (completion.kind === 'exited') return interpretExit(event, completion);
  if (completion.kind === 'detached') return readBackground(completion, completion.follow, this.async);
  return interpretFault(completion);
}
