// All cases, in the order in which they are run and shown.
import { callbackCases } from './callbacks.mjs';
import { commandCases } from './commands.mjs';
import { growthCases } from './growth.mjs';
import { injectionCases } from './injection.mjs';
import { installCases } from './install.mjs';
import { lukewarmCases } from './lukewarm.mjs';
import { processCases } from './processes.mjs';
import { redisCases } from './redis.mjs';
import { startCases } from './start.mjs';
import { trustCases } from './trust.mjs';

export const cases = {
  ...callbackCases,
  ...lukewarmCases,
  ...growthCases,
  ...commandCases,
  ...trustCases,
  ...processCases,
  ...injectionCases,
  ...redisCases,
  ...startCases,
  ...installCases,
};

/** They run in one process, and come out differently in the next one. */
export const varying = new Set(
  Object.keys({ ...callbackCases, ...growthCases, ...commandCases, ...trustCases }),
);
