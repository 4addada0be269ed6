/** The public API of the live view. */
export type { RecordingProblem } from './earlier.js';
export type { LiveEvent } from './events.js';
export type { WatchedMailbox } from './items.js';
export { type LiveView, type LiveViewOptions, startLiveView, type WatchOptions } from './live-view.js';
export type { WatchedRunner } from './observe-fires.js';
