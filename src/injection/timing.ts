/** Decides when a peer's answer may be delivered to an agent: a policy as data, and one pure function. */

/**
 * When an update could be delivered. `mid-stream`: with tool results. `turn`: at the end of the agent's turn.
 * `restart`: at the start of a round, when the agent gets a new prompt.
 */
export type Moment = 'mid-stream' | 'turn' | 'restart';

/** When agents get their peers' answers. */
export interface TimingPolicy {
  /** Whether peers' answers are delivered at all. Default: true. */
  readonly peerUpdates: boolean;
  /**
   * How an agent's first update is delivered. `full-message` (default): not mid-stream, but as a complete message at
   * the end of its turn or at a restart, so that agents do not all converge on the first answer. `mid-stream`: like all
   * later updates.
   */
  readonly firstUpdate: 'full-message' | 'mid-stream';
  /**
   * Whether an agent gets no updates, except at a restart, before it has published an answer of its own. Default:
   * false.
   */
  readonly protectFirstAnswer: boolean;
  /**
   * Whether updates wait for the next restart. Items from people, subagents and background tools do not. Default:
   * false.
   */
  readonly deferPeerUpdatesUntilRestart: boolean;
  /**
   * In runs with a checklist: whether updates may be delivered mid-stream until the first checklist for the current
   * answer has been accepted. Default: the opposite of `deferPeerUpdatesUntilRestart`.
   */
  readonly allowMidstreamPeerUpdatesBeforeChecklistSubmit: boolean | undefined;
  /** Maximum number of mid-stream updates per agent and round. Default: 2. */
  readonly maxPerRound: number;
}

/** The defaults of a policy. */
export const DEFAULT_TIMING: TimingPolicy = Object.freeze({
  peerUpdates: true,
  firstUpdate: 'full-message',
  protectFirstAnswer: false,
  deferPeerUpdatesUntilRestart: false,
  allowMidstreamPeerUpdatesBeforeChecklistSubmit: undefined,
  maxPerRound: 2,
});

/** The agent's state at the time of the decision. */
export interface Situation {
  readonly moment: Moment;
  readonly hasOwnAnswer: boolean;
  /** Whether it has ever been shown a peer's answer. */
  readonly hasSeenUpdates: boolean;
  /**
   * The agent can only vote: its tool schemas are fixed and list the existing answers, so new answers need a restart.
   */
  readonly isVoteOnly: boolean;
  /** Undefined in a run without a checklist. */
  readonly checklistSubmitted: boolean | undefined;
  /** How many updates it has received mid-stream in this round. */
  readonly deliveredThisRound: number;
  /** Seconds until the soft limit of its round; undefined if there is none. */
  readonly secondsLeft: number | undefined;
  readonly graceSeconds: number;
}

/** How many updates may be delivered, and why none. */
export interface TimingDecision {
  /** How many updates may be delivered now. */
  readonly room: number;
  /** Why `room` is 0. */
  readonly reason?: string;
}

const wait = (reason: string): TimingDecision => ({ room: 0, reason });

/**
 * Decides how many updates an agent may get now. The others stay unseen and are offered again later. Pure, never
 * throws.
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
