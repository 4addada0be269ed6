/** What Claude Code does on its events, in addition to the columns of the event table. */
import type { AnyEvent } from '../../events/types.js';
import { DEFAULT_TIMEOUTS } from '../../handlers/default-timeouts.js';

interface EventColumns {
  /** The default timeout in seconds. */
  readonly timeout: number;
  /** Whether its input contains the permission mode. */
  readonly sendsPermissionMode: boolean;
  /** Whether `continue: false` ends the run; elsewhere it is ignored. */
  readonly honoursContinueFalse: boolean;
}

const {
  claudeCode: WORK,
  claudeCodePrompt: PROMPT,
  claudeCodeDisplay: DISPLAY,
  claudeCodeExit: EXIT,
} = DEFAULT_TIMEOUTS;

const columns = (
  timeout: number,
  sendsPermissionMode: boolean,
  honoursContinueFalse: boolean,
): EventColumns => ({ timeout, sendsPermissionMode, honoursContinueFalse });

const COLUMNS: { readonly [E in AnyEvent]: EventColumns } = {
  PreToolUse: columns(WORK, true, true),
  PostToolUse: columns(WORK, true, true),
  PostToolUseFailure: columns(WORK, true, false),
  Notification: columns(WORK, false, false),
  UserPromptSubmit: columns(PROMPT, true, true),
  SessionStart: columns(WORK, false, false),
  SessionEnd: columns(EXIT, false, false),
  Stop: columns(WORK, true, true),
  StopFailure: columns(WORK, false, false),
  SubagentStart: columns(WORK, false, false),
  SubagentStop: columns(WORK, true, true),
  PreCompact: columns(WORK, false, true),
  PostCompact: columns(WORK, false, false),
  PermissionRequest: columns(WORK, true, true),
  Setup: columns(WORK, false, false),
  TeammateIdle: columns(WORK, true, true),
  TaskCompleted: columns(WORK, false, true),
  Elicitation: columns(WORK, false, false),
  ElicitationResult: columns(WORK, false, false),
  PostToolBatch: columns(WORK, true, true),
  PermissionDenied: columns(WORK, true, false),
  UserPromptExpansion: columns(PROMPT, true, true),
  MessageDisplay: columns(DISPLAY, false, false),
  TaskCreated: columns(WORK, false, true),
  PreModelSwitch: columns(WORK, false, false),
  PostModelSwitch: columns(WORK, false, false),
  ConfigChange: columns(WORK, false, false),
  InstructionsLoaded: columns(WORK, false, false),
  CwdChanged: columns(WORK, false, false),
  FileChanged: columns(WORK, false, false),
  DirectoryAdded: columns(WORK, false, false),
  WorktreeCreate: columns(WORK, false, false),
  WorktreeRemove: columns(WORK, false, false),
};

/** For events that an application defines. */
const OTHER = columns(WORK, true, true);

export function columnsOf(event: AnyEvent): EventColumns {
  return Object.hasOwn(COLUMNS, event) ? COLUMNS[event] : OTHER;
}
