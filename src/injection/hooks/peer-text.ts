/** The text that announces peers' answers to an agent. */
import type { PeerUpdate } from '../answer-board.js';

/**
 * What the agent should do with a peer's answer. `plain`: compare and decide. `voting`: agents vote for an answer in
 * the end. `decomposition`: every agent has a subtask of its own.
 */
export type Guidance = 'plain' | 'voting' | 'decomposition';

const ADVICE: Readonly<Record<Guidance, readonly string[]>> = {
  plain: [
    'Before you go on, compare each answer with your own work. Take over what is better there, keep what is better here, and say in one sentence what you have decided.',
  ],
  voting: [
    'You have to deal with this before you go on. Note the comparison as a task in your plan and look at their files, where there are any. Then decide for one of these, and say which:',
    '- vote for an answer that is complete and right;',
    '- build on it and hand in a better answer of your own;',
    '- combine the best of both;',
    '- go on with your own approach, because it is the better one.',
  ],
  decomposition: [
    'Your part remains your part. Look whether the new work touches it: files, interfaces, assumptions. Adapt yours where it does, then go on, and stop when your part is done.',
  ],
};

const CHECKLIST =
  'Before anything else, hand in your checklist again (submit_checklist) with the newest labels above. Draft improvements (draft_approach) only once it has been accepted for another iteration.';

/**
 * The notice that precedes the answers. It names the folders of the peers' files, because only this text can be
 * trusted.
 */
export function peerNotice(
  updates: readonly PeerUpdate[],
  paths: readonly (string | undefined)[],
  guidance: Guidance,
  withChecklist: boolean,
): string {
  const files = updates.flatMap(({ name }, i) =>
    paths[i] === undefined ? [] : [`- the files of ${name} can be read in ${paths[i]}`],
  );
  return [
    updates.length === 1 ? 'A peer has handed in an answer:' : 'Peers have handed in answers:',
    ...updates.map(
      ({ name, label, previousLabel }) =>
        `- ${name}: ${previousLabel === undefined ? `${label} (its first one that you see)` : `${previousLabel} -> ${label}`}`,
    ),
    ...files,
    updates.length === 1
      ? 'It follows as a message from its author.'
      : 'They follow as messages, each from its author.',
    '',
    ...(withChecklist ? [CHECKLIST] : []),
    ...ADVICE[guidance],
  ].join('\n');
}
