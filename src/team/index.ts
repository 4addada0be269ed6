/** hookline/team: agents that work on the same question side by side, as in MassGen. */
export type { Choice, DecisionReason, TeamEvent } from './events.js';
export type { TeamOptions, TeamView } from './options.js';
export { runTeam, type TeamAnswer, type TeamResult } from './run-team.js';
export { type WiredAgent, type WireOptions, wireMassgen } from './wire.js';
