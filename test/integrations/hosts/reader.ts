/** What a reader of the pages on frameworks sees, who adds the guard that each of them shows. */
import type { Plan } from './model-server.js';

/** The model tries to publish, and reads why it may not. */
export const readerPlan: Plan = ({ index, said }) => {
  if (index === 0) return [{ name: 'Bash', input: { command: 'npm publish' } }];
  return said.includes('A person publishes.')
    ? 'I did not publish it: a person has to do that.'
    : 'It is published.';
};

/** What the example prints then. */
export const READER_SEES = `PreToolUse deny A person publishes.
Stop deny Sum it up.
I did not publish it: a person has to do that.
`;
