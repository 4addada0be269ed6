/** Puts the parts of a file mailbox together. */
import { toError } from '../../../base/errors.js';
import type { Owner } from '../../../process/owner.js';
import { ANYONE } from '../../item.js';
import { Boxes } from './boxes.js';
import type { Place } from './directory.js';
import type { Desk } from './mailbox-context.js';
import type { CheckedOptions } from './options.js';
import { Changes } from './outside-changes.js';
import { createMoveAside } from './quarantine.js';
import { aboutItem } from './record.js';
import { SharedLog } from './shared-log.js';
import { Staging } from './staging.js';

export interface Assembly {
  readonly place: Place;
  readonly owner: Owner;
  readonly options: CheckedOptions;
  readonly onProblem: (problem: Error) => void;
  /** What is done from time to time while somebody listens. */
  readonly look: () => Promise<void>;
}

export interface Parts {
  readonly desk: Desk;
  readonly boxes: Boxes;
  readonly log: SharedLog;
  readonly staging: Staging;
  readonly changes: Changes;
}

export function assemble({ place, owner, options, onProblem, look }: Assembly): Parts {
  const { now, leaseMs, pollMs } = options;
  const tellProblem = (problem: unknown): void => {
    try {
      onProblem(toError(problem));
    } catch {
      // It was told.
    }
  };
  const changes: Changes = new Changes(
    { mapUsable: (work) => boxes.mapUsable(work, ANYONE), about: (name) => aboutItem(place, name), now },
    look,
    pollMs,
  );
  const desk: Desk = { place, owner, now, leaseMs, report: (report) => changes.tell(report), tellProblem };
  const tellChange = changes.tellPlainly.bind(changes);
  const moveAside = createMoveAside({ place, now, tellChange, tellProblem });
  const boxes = new Boxes(desk, moveAside);
  const log = new SharedLog(desk, boxes, moveAside);
  const staging = new Staging(desk, boxes, log.arrivals);
  return { desk, boxes, log, staging, changes };
}
