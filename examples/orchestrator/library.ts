/** What the example takes from the library beside `hookline` and `hookline/injection`. */
export { openFileMailbox } from '../../src/adapters/files/index.js';
export { openRedisMailbox } from '../../src/adapters/redis/index.js';
export { openWorkspaces, PeerLabels, type Workspaces } from '../../src/workspaces/index.js';
