/** What all parts of a file mailbox work with. */

import type { Owner } from '../../../process/owner.js';
import type { InjectionChange, InjectionItem } from '../../port.js';
import type { Place } from './directory.js';
import type { ItemName } from './item-name.js';

/** What a change says about its item. */
export type About = Pick<InjectionItem, 'id' | 'source' | 'strategy'>;

export interface Report extends Pick<InjectionChange, 'agentId' | 'state' | 'reason'> {
  readonly name: ItemName;
  readonly about: About;
}

export interface Desk {
  readonly place: Place;
  /** This process. */
  readonly owner: Owner;
  readonly now: () => number;
  readonly leaseMs: number;
  /** Tells those who listen to changes. */
  readonly report: (report: Report) => void;
  /** Tells of what is wrong with the directory; never throws. */
  readonly tellProblem: (problem: Error) => void;
}
