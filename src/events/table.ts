/** The one table of events: everything else about events is derived from its rows. */
import * as agents from './rows/agents.js';
import * as mcp from './rows/mcp.js';
import * as models from './rows/models.js';
import * as session from './rows/session.js';
import * as surroundings from './rows/surroundings.js';
import * as tools from './rows/tools.js';

/** The fifteen lifecycle events, in the order of the documentation. */
export const lifecycle = {
  PreToolUse: tools.PreToolUse,
  PostToolUse: tools.PostToolUse,
  PostToolUseFailure: tools.PostToolUseFailure,
  Notification: session.Notification,
  UserPromptSubmit: session.UserPromptSubmit,
  SessionStart: session.SessionStart,
  SessionEnd: session.SessionEnd,
  Stop: agents.Stop,
  SubagentStart: agents.SubagentStart,
  SubagentStop: agents.SubagentStop,
  PreCompact: session.PreCompact,
  PermissionRequest: tools.PermissionRequest,
  Setup: session.Setup,
  TeammateIdle: agents.TeammateIdle,
  TaskCompleted: agents.TaskCompleted,
} as const;

/** Further events of newer hosts, in the order of the documentation. `unfired` in a row says which the loop cannot fire. */
export const extended = {
  PostToolBatch: tools.PostToolBatch,
  PermissionDenied: tools.PermissionDenied,
  UserPromptExpansion: session.UserPromptExpansion,
  MessageDisplay: session.MessageDisplay,
  StopFailure: agents.StopFailure,
  TaskCreated: agents.TaskCreated,
  PostCompact: session.PostCompact,
  PreModelSwitch: models.PreModelSwitch,
  PostModelSwitch: models.PostModelSwitch,
  Elicitation: mcp.Elicitation,
  ElicitationResult: mcp.ElicitationResult,
  ConfigChange: surroundings.ConfigChange,
  InstructionsLoaded: surroundings.InstructionsLoaded,
  CwdChanged: surroundings.CwdChanged,
  FileChanged: surroundings.FileChanged,
  DirectoryAdded: surroundings.DirectoryAdded,
  WorktreeCreate: surroundings.WorktreeCreate,
  WorktreeRemove: surroundings.WorktreeRemove,
} as const;
