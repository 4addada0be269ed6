/** What the example takes from the library beside `hookline` and `hookline/injection`. */
export { openFileMailbox } from 'hookline/files';
export { openRedisMailbox } from 'hookline/redis';
export { openWorkspaces, type Workspaces } from 'hookline/workspaces';
