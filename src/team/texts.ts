/** The texts that the agents of a team read: rules, the prompt of a round, and the prompt of the presentation. */

export const TEAM_RULES = [
  'You are one of several agents that work on the same question at the same time, each in its own folder. You know each other only by names such as agent1.',
  'End every round in one of two ways: hand in an answer of your own with new_answer, or vote for the best answer with vote. Text alone ends nothing.',
  'Put files that belong to your answer into your working directory: your peers get a copy of it with your answer. Say in the answer what the files are.',
  'Vote only for an answer that you have checked. You may vote for your own. Hand in a new answer only if it is better than every answer there is.',
].join('\n');

export const VOTE_ONLY_RULE =
  'You have handed in as many answers as you may. Look at the answers and vote for the best one.';

export const REMIND_TO_END =
  'Your round is not over: hand in your answer with new_answer, or vote for an answer with vote.';
export const REMIND_TO_VOTE = 'Your round is not over: vote for an answer with vote.';

/** An answer as an agent may read it. */
export interface ShownAnswer {
  readonly label: string;
  readonly isOwn: boolean;
  readonly content: string;
}

export function roundPrompt(question: string, answers: readonly ShownAnswer[], isVoteOnly: boolean): string {
  const own = answers.find(({ isOwn }) => isOwn);
  const list = answers.map(({ label, isOwn }) => (isOwn ? `${label} (your own)` : label)).join(', ');
  return [
    question,
    ...(answers.length === 0 ? [] : ['', `The answers so far: ${list}.`]),
    ...(own === undefined ? [] : ['', `Your own answer, ${own.label}:`, own.content]),
    ...(isVoteOnly ? ['', VOTE_ONLY_RULE] : []),
  ].join('\n');
}

export function presentationPrompt(
  question: string,
  own: string,
  votes: readonly { readonly reason: string }[],
): string {
  const reasons = votes.map(({ reason }) => reason.trim()).filter((reason) => reason !== '');
  return [
    'The team has chosen your answer. Present the final result to the user: complete, in its final form, without a word about agents, rounds and votes.',
    '',
    'The question:',
    question,
    '',
    'Your answer:',
    own,
    ...(reasons.length === 0 ? [] : ['', 'Why it was chosen:', ...reasons.map((reason) => `- ${reason}`)]),
  ].join('\n');
}
