/** hookline/workspaces: shares agents' files with their peers. */
export type { SharedCopy } from './copies.js';
export type { CopyReport } from './copy-tree.js';
export { type CopyOptions, copyWorkspace } from './copy-workspace.js';
export {
  DEFAULT_LIMITS,
  type LeftOut,
  type LeftOutReason,
  type Limits,
  type SelectionOptions,
} from './selection.js';
export type { WorkspaceSnapshot } from './snapshots.js';
export {
  openWorkspaces,
  type ShareOptions,
  type SnapshotOptions,
  type Workspaces,
  type WorkspacesOptions,
} from './workspaces.js';
