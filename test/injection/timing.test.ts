import { describe, expect, it } from 'vitest';
import {
  DEFAULT_TIMING,
  decidePeerUpdate,
  type Situation,
  type TimingPolicy,
} from '../../src/injection/timing.js';

const ALL = Number.POSITIVE_INFINITY;

/** An agent in the middle of its work, with an answer of its own, which has seen its peers before. */
const midway: Situation = {
  moment: 'mid-stream',
  hasOwnAnswer: true,
  hasSeenUpdates: true,
  isVoteOnly: false,
  checklistSubmitted: undefined,
  deliveredThisRound: 0,
  secondsLeft: undefined,
  graceSeconds: 120,
};

const room = (policy: Partial<TimingPolicy>, situation: Partial<Situation>): number =>
  decidePeerUpdate({ ...DEFAULT_TIMING, ...policy }, { ...midway, ...situation }).room;

describe('timing', () => {
  it('IJ-60: the defaults are as stated', () => {
    expect(DEFAULT_TIMING).toEqual({
      peerUpdates: true,
      firstUpdate: 'full-message',
      protectFirstAnswer: false,
      deferPeerUpdatesUntilRestart: false,
      allowMidstreamPeerUpdatesBeforeChecklistSubmit: undefined,
      maxPerRound: 2,
    });
  });

  const table: readonly (readonly [string, string, Partial<TimingPolicy>, Partial<Situation>, number])[] = [
    ['IJ-60', 'mid-stream there is room for two in a round', {}, {}, 2],
    ['IJ-60', 'one is left', {}, { deliveredThisRound: 1 }, 1],
    ['IJ-60', 'none is left', {}, { deliveredThisRound: 2 }, 0],
    ['IJ-60', 'the end of a turn has no such bound', {}, { moment: 'turn', deliveredThisRound: 2 }, ALL],
    ['IJ-60', 'nor has a restart', {}, { moment: 'restart', deliveredThisRound: 2 }, ALL],
    ['IJ-60', 'switched off is off, also at a restart', { peerUpdates: false }, { moment: 'restart' }, 0],
    ['IJ-61', 'the first update does not come mid-stream', {}, { hasSeenUpdates: false }, 0],
    ['IJ-61', 'it comes where the turn ends', {}, { hasSeenUpdates: false, moment: 'turn' }, ALL],
    ['IJ-61', 'or at a restart', {}, { hasSeenUpdates: false, moment: 'restart' }, ALL],
    ['IJ-61', 'unless the policy wants it', { firstUpdate: 'mid-stream' }, { hasSeenUpdates: false }, 2],
    ['IJ-62', 'without an answer of its own an agent is told, by default', {}, { hasOwnAnswer: false }, 2],
    ['IJ-62', 'with protection it is not', { protectFirstAnswer: true }, { hasOwnAnswer: false }, 0],
    [
      'IJ-62',
      'nor where its turn ends',
      { protectFirstAnswer: true },
      { hasOwnAnswer: false, moment: 'turn' },
      0,
    ],
    [
      'IJ-62',
      'but at a restart',
      { protectFirstAnswer: true },
      { hasOwnAnswer: false, moment: 'restart' },
      ALL,
    ],
    ['IJ-62', 'or when it has answered', { protectFirstAnswer: true }, {}, 2],
    ['IJ-63', 'who can only vote is not told', {}, { isVoteOnly: true }, 0],
    ['IJ-63', 'nor where its turn ends', {}, { isVoteOnly: true, moment: 'turn' }, 0],
    ['IJ-63', 'but at a restart', {}, { isVoteOnly: true, moment: 'restart' }, ALL],
    ['IJ-64', 'deferred updates wait', { deferPeerUpdatesUntilRestart: true }, {}, 0],
    ['IJ-64', 'also where the turn ends', { deferPeerUpdatesUntilRestart: true }, { moment: 'turn' }, 0],
    ['IJ-64', 'until a restart', { deferPeerUpdatesUntilRestart: true }, { moment: 'restart' }, ALL],
    [
      'IJ-64',
      'before the checklist, as deferral says: no',
      { deferPeerUpdatesUntilRestart: true },
      { checklistSubmitted: false },
      0,
    ],
    ['IJ-64', 'before the checklist, as deferral says: yes', {}, { checklistSubmitted: false }, 2],
    [
      'IJ-64',
      'before the checklist, allowed',
      { deferPeerUpdatesUntilRestart: true, allowMidstreamPeerUpdatesBeforeChecklistSubmit: true },
      { checklistSubmitted: false },
      2,
    ],
    [
      'IJ-64',
      'after the checklist, deferred again',
      { deferPeerUpdatesUntilRestart: true, allowMidstreamPeerUpdatesBeforeChecklistSubmit: true },
      { checklistSubmitted: true },
      0,
    ],
    [
      'IJ-64',
      'before the checklist, not allowed',
      { allowMidstreamPeerUpdatesBeforeChecklistSubmit: false },
      { checklistSubmitted: false },
      0,
    ],
    [
      'IJ-64',
      'after the checklist, allowed again',
      { allowMidstreamPeerUpdatesBeforeChecklistSubmit: false },
      { checklistSubmitted: true },
      2,
    ],
    ['IJ-65', 'less time than the grace: not now', {}, { secondsLeft: 119 }, 0],
    ['IJ-65', 'as much time as the grace', {}, { secondsLeft: 120 }, 2],
    ['IJ-65', 'at a restart time does not matter', {}, { secondsLeft: 1, moment: 'restart' }, ALL],
  ];
  it.each(table)('%s: %s', (_rule, _what, policy, situation, expected) => {
    expect(room(policy, situation)).toBe(expected);
  });

  it('IJ-60: a decision against it says why', () => {
    for (const [, , policy, situation, expected] of table) {
      const { reason } = decidePeerUpdate({ ...DEFAULT_TIMING, ...policy }, { ...midway, ...situation });
      expect(reason !== undefined).toBe(expected === 0);
    }
  });
});
