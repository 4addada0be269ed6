/** The events of what surrounds an agent: its settings, instructions, directories and files. */
import { open, optional, text } from '../field.js';
import { texts } from '../fields.js';
import { row } from '../row.js';

const watches = { watchPaths: optional(texts) };

/** Fires when a settings file has changed; a hook may keep the change from taking effect. */
export const ConfigChange = row({
  input: {
    source: open('user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'),
    file_path: optional(text),
  },
  answer: {},
  matcherField: 'source',
  blocks: 'action',
  unfired: 'it reads settings once, at the start',
});

export const InstructionsLoaded = row({
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

export const CwdChanged = row({
  input: { old_cwd: text, new_cwd: text },
  answer: watches,
  matcherField: null,
  setsEnvironment: true,
});

export const FileChanged = row({
  input: { file_path: text, event: open('change', 'add', 'unlink') },
  answer: watches,
  matcherField: 'file_path',
  setsEnvironment: true,
  unfired: 'it watches no files',
});

export const DirectoryAdded = row({
  input: { directory: text, source: open('slash_command', 'register_repo_root') },
  answer: {},
  matcherField: 'source',
});

/** Fires instead of creating a worktree: the hook creates it, and answers where it is. */
export const WorktreeCreate = row({
  input: { name: text },
  answer: { worktreePath: text },
  matcherField: null,
  blocks: 'action',
  unfired: 'it has no worktrees',
});

export const WorktreeRemove = row({
  input: { worktree_path: text },
  answer: {},
  matcherField: null,
  unfired: 'it has no worktrees',
});
