/** The three messages for people who watch. Their fields are exactly those of the Agent SDK. */
import type { UUID } from 'node:crypto';

interface MessageBase {
  type: 'system';
  /** Identifies one run of one hook; the same in its started, progress and response messages. */
  hook_id: string;
  hook_name: string;
  hook_event: string;
  uuid: UUID;
  session_id: string;
}

/** A hook is starting. */
export type HookStartedMessage = MessageBase & { subtype: 'hook_started' };

/** A hook has printed something or reported progress. */
export type HookProgressMessage = MessageBase & {
  subtype: 'hook_progress';
  stdout: string;
  stderr: string;
  output: string;
};

/** A hook has ended: its output and its result. */
export type HookResponseMessage = MessageBase & {
  subtype: 'hook_response';
  output: string;
  stdout: string;
  stderr: string;
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
};

/** A message about a hook: one of the three. */
export type HookMessage = HookStartedMessage | HookProgressMessage | HookResponseMessage;

/** Listener types by message kind; `message` receives all of them. */
export type MessageListeners = {
  hook_started: (message: HookStartedMessage) => void;
  hook_progress: (message: HookProgressMessage) => void;
  hook_response: (message: HookResponseMessage) => void;
  message: (message: HookMessage) => void;
};
