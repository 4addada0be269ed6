/** The one table of events: everything else about events is derived from its rows. */
import * as agents from './rows/agents.js';
import * as mcp from './rows/mcp.js';
import * as session from './rows/session.js';
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

/** Further events that newer hosts have, and that the agent loop fires too. */
export const extended = {
  PostCompact: session.PostCompact,
  StopFailure: agents.StopFailure,
  Elicitation: mcp.Elicitation,
  ElicitationResult: mcp.ElicitationResult,
} as const;
