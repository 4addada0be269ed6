/** Moves files that do not belong to the mailbox to the `failed` folder and reports them. */
import { basename, join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import type { InjectionChange } from '../../port.js';
import type { Quarantine } from './agent-box.js';
import type { Place } from './directory.js';
import { move } from './disk.js';
import { randomPart } from './file-names.js';
import { toHex } from './item-name.js';

export interface Aside {
  readonly place: Place;
  readonly now: () => number;
  readonly emitChange: (change: InjectionChange) => void;
  readonly reportProblem: (problem: Error) => void;
}

/** A link, a pipe or a folder is moved without opening it. */
export function createQuarantine({ place, now, emitChange, reportProblem }: Aside): Quarantine {
  return async (agentId, path, why) => {
    const shown = basename(path).slice(0, 150);
    const aside = join(place.failed, `${toHex(Math.max(0, Math.floor(now())), 12)}.${randomPart()}.${shown}`);
    try {
      if (!(await move(path, aside))) return;
    } catch (error) {
      const message = `'${path}' does not belong there (${why}) and cannot be moved: ${messageOf(error)}`;
      reportProblem(new Error(message, { cause: error }));
      return;
    }
    const reason = `${why}; it was moved to '${aside}'`;
    reportProblem(new Error(`'${path}' does not belong there: ${reason}`));
    const source = { kind: 'unknown' };
    const id = `file:${basename(path)}`;
    emitChange(
      Object.freeze({ id, agentId, state: 'failed', source, strategy: 'tool_result', at: now(), reason }),
    );
  };
}
