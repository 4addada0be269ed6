/** The context that all parts of a file mailbox share. */

import type { Owner } from '../../../process/owner.js';
import type { InjectionChange, InjectionItem } from '../../port.js';
import type { Place } from './directory.js';
import type { ItemName } from './item-name.js';

/** The fields of an item that a change contains. */
export type About = Pick<InjectionItem, 'id' | 'source' | 'strategy'>;

export interface Report extends Pick<InjectionChange, 'agentId' | 'state' | 'reason'> {
  readonly name: ItemName;
  readonly about: About;
}

export interface MailboxContext {
  readonly place: Place;
  /** This process. */
  readonly owner: Owner;
  readonly now: () => number;
  readonly leaseMs: number;
  /** Reports a change to the listeners. */
  readonly report: (report: Report) => void;
  /** Reports a problem with the directory; never throws. */
  readonly reportProblem: (problem: Error) => void;
}
