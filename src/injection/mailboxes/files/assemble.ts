/** Creates the parts of a file mailbox. */
import { toError } from '../../../base/errors.js';
import type { Owner } from '../../../process/owner.js';
import { ANYONE } from '../../item.js';
import { Boxes } from './boxes.js';
import type { Place } from './directory.js';
import type { MailboxContext } from './mailbox-context.js';
import type { CheckedOptions } from './options.js';
import { Changes } from './outside-changes.js';
import { createQuarantine } from './quarantine.js';
import { aboutItem } from './record.js';
import { SharedLog } from './shared-log.js';
import { Staging } from './staging.js';

export interface Assembly {
  readonly place: Place;
  readonly owner: Owner;
  readonly options: CheckedOptions;
  readonly onProblem: (problem: Error) => void;
  /** Called periodically while there are listeners. */
  readonly look: () => Promise<void>;
}

export interface Parts {
  readonly context: MailboxContext;
  readonly boxes: Boxes;
  readonly log: SharedLog;
  readonly staging: Staging;
  readonly changes: Changes;
}

export function assemble({ place, owner, options, onProblem, look }: Assembly): Parts {
  const { now, leaseMs, pollMs } = options;
  const reportProblem = (problem: unknown): void => {
    try {
      onProblem(toError(problem));
    } catch {
      // It has been reported already.
    }
  };
  const changes: Changes = new Changes(
    { mapUsable: (work) => boxes.mapUsable(work, ANYONE), about: (name) => aboutItem(place, name), now },
    look,
    pollMs,
  );
  const context: MailboxContext = {
    place,
    owner,
    now,
    leaseMs,
    report: (report) => changes.report(report),
    reportProblem,
  };
  const emitChange = changes.emit.bind(changes);
  const quarantine = createQuarantine({ place, now, emitChange, reportProblem });
  const boxes = new Boxes(context, quarantine);
  const log = new SharedLog(context, boxes, quarantine);
  const staging = new Staging(context, boxes, log.arrivals);
  return { context, boxes, log, staging, changes };
}
