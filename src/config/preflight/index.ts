/** The exports of preflight. */
export { type PreflightRequest, preflightCommand } from './preflight-command.js';
export { preflightMatcher } from './preflight-matcher.js';
export type { PreflightCode, PreflightProblem } from './problem.js';
