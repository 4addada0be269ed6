/** What happens in a team, for those who watch. */
import type { LoopMessage } from '../agent/loop/messages.js';

/** An answer by its author and number. */
export interface Choice {
  readonly agentId: string;
  readonly revision: number;
}

/** What happens in a team. Agents are named by their real ids. */
export type TeamEvent =
  | {
      readonly type: 'started';
      readonly session: string;
      readonly agents: readonly string[];
      /** Those that run in this process. */
      readonly here: readonly string[];
    }
  | { readonly type: 'joined'; readonly agentId: string }
  | {
      readonly type: 'round';
      readonly agentId: string;
      /** From 1. */
      readonly round: number;
      /** The agent has handed in all the answers it may, so it can only vote. */
      readonly isVoteOnly: boolean;
    }
  | (Choice & { readonly type: 'answer'; readonly content: string; readonly files?: string | undefined })
  | { readonly type: 'vote'; readonly agentId: string; readonly for: Choice; readonly reason: string }
  | { readonly type: 'passed'; readonly agentId: string; readonly reason: string }
  | { readonly type: 'left'; readonly agentId: string; readonly reason: string }
  | { readonly type: 'decided'; readonly winner?: Choice | undefined; readonly reason: DecisionReason }
  | { readonly type: 'presented'; readonly agentId: string; readonly text: string }
  /** A message of an agent's run in this process. */
  | { readonly type: 'message'; readonly agentId: string; readonly message: LoopMessage };

/** Why a team ended: everybody voted or passed, the time was over, or nobody was left to vote. */
export type DecisionReason = 'votes' | 'timeout' | 'nobody_left';
