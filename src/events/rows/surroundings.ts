/** The events of what surrounds an agent: its settings, instructions, directories and files. */
import { type FieldsOf, open, optional, text } from '../field.js';
import { texts } from '../fields.js';
import { type NoAnswer, row } from '../row.js';

export type WatchAnswer = {
  /** Files whose changes fire FileChanged. */
  watchPaths?: string[] | undefined;
};

const watches: FieldsOf<WatchAnswer> = { watchPaths: optional(texts) };

export type ConfigChangeInput = {
  /** Which settings have changed; a matcher sees it. */
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  /** The file that has changed. */
  file_path?: string;
};

/** Fires when a settings file has changed; a hook may keep the change from taking effect. */
export const ConfigChange = row<ConfigChangeInput, NoAnswer>()({
  input: {
    source: open('user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'),
    file_path: optional(text),
  },
  answer: {},
  matcherField: 'source',
  blocks: 'action',
});

export type InstructionsLoadedInput = {
  /** The file that was read. */
  file_path: string;
  /** Whose instructions these are. */
  memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  /** Why they were read; a matcher sees it. */
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  /** The patterns of paths that the instructions are about. */
  globs?: string[];
  /** The file that the agent worked on when they were read. */
  trigger_file_path?: string;
  /** The file that includes this one. */
  parent_file_path?: string;
};

export const InstructionsLoaded = row<InstructionsLoadedInput, NoAnswer>()({
  input: {
    file_path: text,
    memory_type: open('User', 'Project', 'Local', 'Managed'),
    load_reason: open('session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact'),
    globs: optional(texts),
    trigger_file_path: optional(text),
    parent_file_path: optional(text),
  },
  answer: {},
  matcherField: 'load_reason',
  unfired: 'it reads no instruction files',
});

export type CwdChangedInput = {
  /** The folder so far. */
  old_cwd: string;
  /** The folder from now on. */
  new_cwd: string;
};

export const CwdChanged = row<CwdChangedInput, WatchAnswer>()({
  input: { old_cwd: text, new_cwd: text },
  answer: watches,
  matcherField: null,
  setsEnvironment: true,
});

export type FileChangedInput = {
  /** The file; a matcher sees it. */
  file_path: string;
  /** What happened to it. */
  event: 'change' | 'add' | 'unlink';
};

export const FileChanged = row<FileChangedInput, WatchAnswer>()({
  input: { file_path: text, event: open('change', 'add', 'unlink') },
  answer: watches,
  matcherField: 'file_path',
  setsEnvironment: true,
  unfired: 'it watches no files',
});

export type DirectoryAddedInput = {
  /** The directory in which the agent may work now, too. */
  directory: string;
  /** Who added it; a matcher sees it. */
  source: 'slash_command' | 'register_repo_root';
};

export const DirectoryAdded = row<DirectoryAddedInput, NoAnswer>()({
  input: { directory: text, source: open('slash_command', 'register_repo_root') },
  answer: {},
  matcherField: 'source',
});

export type WorktreeCreateInput = {
  /** The name of the worktree. */
  name: string;
};

export type WorktreeCreateAnswer = {
  /** Where the worktree is that the hook has created. */
  worktreePath: string;
};

/** Fires instead of creating a worktree: the hook creates it, and answers where it is. */
export const WorktreeCreate = row<WorktreeCreateInput, WorktreeCreateAnswer>()({
  input: { name: text },
  answer: { worktreePath: text },
  matcherField: null,
  blocks: 'action',
  unfired: 'it has no worktrees',
});

export type WorktreeRemoveInput = {
  /** The worktree that is removed. */
  worktree_path: string;
};

export const WorktreeRemove = row<WorktreeRemoveInput, NoAnswer>()({
  input: { worktree_path: text },
  answer: {},
  matcherField: null,
  unfired: 'it has no worktrees',
});
