/** What the live view offers to the other folders and to users, name by name. */
export type { LiveEvent } from './events.js';
export type { WatchedMailbox } from './items.js';
export { type LiveView, type LiveViewOptions, startLiveView, type WatchOptions } from './live-view.js';
export type { WatchedRunner } from './observe-fires.js';
