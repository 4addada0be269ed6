/** hookline/hookless: injection between turns for hosts without hooks. */
export type { CanonicalMessage } from '../../injection/format.js';
export type { RenderItems } from '../take-items.js';
export { createHookless, type Handover, type Hookless, type PlacedHandover } from './hookless.js';
export type { HooklessOptions } from './options.js';
export { RestartPending } from './watch.js';
