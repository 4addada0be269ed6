/** The three messages for people who watch: exactly the Agent SDK's fields. */
import type { UUID } from 'node:crypto';

interface MessageBase {
  type: 'system';
  /** One run of one hook; the same in its started, progress and response messages. */
  hook_id: string;
  hook_name: string;
  hook_event: string;
  uuid: UUID;
  session_id: string;
}

/** A hook is being started. */
export type HookStartedMessage = MessageBase & { subtype: 'hook_started' };

/** A hook has printed something, or told how far it is. */
export type HookProgressMessage = MessageBase & {
  subtype: 'hook_progress';
  stdout: string;
  stderr: string;
  output: string;
};

/** A hook has ended: what it printed, and how it went. */
export type HookResponseMessage = MessageBase & {
  subtype: 'hook_response';
  output: string;
  stdout: string;
  stderr: string;
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
};

/** What those who watch are told: one of the three messages. */
export type HookMessage = HookStartedMessage | HookProgressMessage | HookResponseMessage;

/** What can be listened to: one kind of message, or `message` for all of them. */
export type MessageListeners = {
  hook_started: (message: HookStartedMessage) => void;
  hook_progress: (message: HookProgressMessage) => void;
  hook_response: (message: HookResponseMessage) => void;
  message: (message: HookMessage) => void;
};
