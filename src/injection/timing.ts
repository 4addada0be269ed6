/** When a peer's answer may reach an agent: the rules as data, and one pure decision. */

/**
 * `mid-stream`: with the results of tools. `turn`: where the agent has ended its turn. `restart`: where a round begins and
 * the agent gets a fresh prompt.
 */
export type Moment = 'mid-stream' | 'turn' | 'restart';

/** When agents are told of their peers' answers. */
export interface TimingPolicy {
  /** Whether peers' answers are delivered at all. Default: true. */
  readonly peerUpdates: boolean;
  /**
   * How the first update that an agent ever gets is delivered. `full-message` (default): not in the middle of its work, but
   * whole, as a message at the end of its turn or at a restart, so that agents do not converge on the first answer there is.
   * `mid-stream`: like all others.
   */
  readonly firstUpdate: 'full-message' | 'mid-stream';
  /** Whether an agent is told of nothing before it has given an answer of its own, but at a restart. Default: false. */
  readonly protectFirstAnswer: boolean;
  /** Whether updates wait for the next restart. People, subagents and background tools do not. Default: false. */
  readonly deferPeerUpdatesUntilRestart: boolean;
  /**
   * In runs with a checklist: whether updates may come mid-stream until the first checklist for the current answer has been
   * accepted. Default: as `deferPeerUpdatesUntilRestart` says.
   */
  readonly allowMidstreamPeerUpdatesBeforeChecklistSubmit: boolean | undefined;
  /** How many updates an agent may get mid-stream in one round. Default: 2. */
  readonly maxPerRound: number;
}

/** What holds where a policy says nothing. */
export const DEFAULT_TIMING: TimingPolicy = Object.freeze({
  peerUpdates: true,
  firstUpdate: 'full-message',
  protectFirstAnswer: false,
  deferPeerUpdatesUntilRestart: false,
  allowMidstreamPeerUpdatesBeforeChecklistSubmit: undefined,
  maxPerRound: 2,
});

/** How an agent stands at the moment of the decision. */
export interface Situation {
  readonly moment: Moment;
  readonly hasOwnAnswer: boolean;
  /** Whether it has ever been told of a peer's answer. */
  readonly hasSeenUpdates: boolean;
  /** Its tools' schemas are fixed and name the answers there were: only a restart can show it others. */
  readonly isVoteOnly: boolean;
  /** Undefined: a run without a checklist. */
  readonly checklistSubmitted: boolean | undefined;
  /** How many updates it has been given mid-stream in this round. */
  readonly deliveredThisRound: number;
  /** Seconds until its round's soft limit; undefined: there is none. */
  readonly secondsLeft: number | undefined;
  readonly graceSeconds: number;
}

/** How much may be told now. */
export interface TimingDecision {
  /** How many updates may be delivered now. */
  readonly room: number;
  /** Why none, for those who wonder. */
  readonly reason?: string;
}

const wait = (reason: string): TimingDecision => ({ room: 0, reason });

/**
 * How many updates an agent may be told of now. Those that have to wait stay unseen: they are offered again at the
 * next moment. Pure, never throws.
 */
export function decidePeerUpdate(policy: TimingPolicy, situation: Situation): TimingDecision {
  const { moment, secondsLeft } = situation;
  if (!policy.peerUpdates) return wait('peer updates are switched off');
  if (moment === 'restart') return { room: Number.POSITIVE_INFINITY };
  if (situation.isVoteOnly) return wait('the agent can only vote: new answers need a restart');
  if (isDeferred(policy, situation)) return wait('peer updates wait for the next restart');
  if (policy.protectFirstAnswer && !situation.hasOwnAnswer) {
    return wait('the agent has not given an answer of its own yet');
  }
  if (secondsLeft !== undefined && secondsLeft < situation.graceSeconds) {
    return wait('the time limit of the round is too near');
  }
  if (moment === 'turn') return { room: Number.POSITIVE_INFINITY };
  if (policy.firstUpdate === 'full-message' && !situation.hasSeenUpdates) {
    return wait('the first update comes as a message of its own');
  }
  const room = policy.maxPerRound - situation.deliveredThisRound;
  return room > 0
    ? { room }
    : wait(`the agent has had ${situation.deliveredThisRound} updates in this round`);
}

function isDeferred(policy: TimingPolicy, { checklistSubmitted }: Situation): boolean {
  const defers = policy.deferPeerUpdatesUntilRestart;
  if (checklistSubmitted !== false) return defers;
  return !(policy.allowMidstreamPeerUpdatesBeforeChecklistSubmit ?? !defers);
}
