/** hookline/team: wires agents that work on the same question side by side, as in MassGen. */
export { type WiredAgent, type WireOptions, wireMassgen } from './wire.js';
