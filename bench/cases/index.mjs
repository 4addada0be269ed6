// All cases, in the order in which they are run and shown.
import { callbackCases } from './callbacks.mjs';
import { commandCases } from './commands.mjs';
import { growthCases } from './growth.mjs';
import { injectionCases } from './injection.mjs';
import { processCases } from './processes.mjs';
import { trustCases } from './trust.mjs';

export const cases = {
  ...callbackCases,
  ...growthCases,
  ...commandCases,
  ...trustCases,
  ...processCases,
  ...injectionCases,
};
