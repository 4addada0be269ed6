/** The exports of this folder, for other folders and for users. */
export { type Answer, AnswerBoard, type AnswerBoardOptions, type PeerUpdate } from './answer-board.js';
export {
  appendInjections,
  type CanonicalMessage,
  type PlaceableMessage,
  type PlaceOptions,
  placeInjections,
  STRUCTURED_PARAGRAPH,
} from './format.js';
export {
  createFramer,
  FRAMES_PARAGRAPH,
  type FramedItem,
  type FrameOptions,
  type Framer,
  frameItems,
  parseFrames,
} from './frame.js';
export { itemsOfOutcome } from './from-outcome.js';
export {
  HookManager,
  type ManagedHook,
  type ManagedHookOptions,
  type ManagedRunner,
} from './hook-manager.js';
export {
  type BackgroundJob,
  type BackgroundToolComplete,
  type BackgroundToolOptions,
  createBackgroundToolComplete,
} from './hooks/background-tool-complete.js';
export { type BuiltInHook, MAIN_AGENT, type Registrar } from './hooks/built-in.js';
export { createDebugDelay, type DebugDelayOptions } from './hooks/debug-delay.js';
export { createDelivery, type Delivery, type DeliveryOptions } from './hooks/deliver.js';
export {
  createHumanInput,
  type HumanInput,
  type HumanInputOptions,
  type HumanWords,
} from './hooks/human-input.js';
export {
  createMidStreamInjection,
  type MidStreamInjection,
  type MidStreamOptions,
  type PeerWorkspaces,
  type RoundStart,
  type SharedAnswer,
} from './hooks/mid-stream.js';
export type { PathArgument } from './hooks/path-arguments.js';
export { type AllowedPlace, createPathGuard, type PathGuardOptions } from './hooks/path-guard.js';
export type { Guidance } from './hooks/peer-text.js';
export { type BuiltInHooks, type BuiltInHooksOptions, registerBuiltInHooks } from './hooks/register.js';
export {
  createRoundTimeoutPost,
  createRoundTimeoutPre,
  type RoundTimeoutOptions,
} from './hooks/round-timeout.js';
export { RoundTimer, type RoundTimerOptions } from './hooks/round-timer.js';
export {
  createSubagentComplete,
  type SubagentComplete,
  type SubagentCompleteOptions,
  type SubagentResult,
} from './hooks/subagent-complete.js';
export { createTaskReminder, type TaskReminderOptions } from './hooks/task-reminder.js';
export { MailboxError, type MailboxProblem } from './mailbox-error.js';
export type { MailboxOptions } from './mailbox-options.js';
export { createMailbox, type MemoryMailbox } from './mailboxes/memory/mailbox.js';
export type {
  ExecutedHook,
  ExecutedHooks,
  InjectedPiece,
  ManagedCall,
  ManagedResult,
} from './managed-result.js';
export { type InjectionMessage, injectionLine, injectionMessage, watchInjections } from './messages.js';
export { type ChatMessage, placeInChat } from './openai-format.js';
export { type LabelledAnswer, PeerLabels, type PeerLabelsOptions } from './peer-labels.js';
export type {
  InjectionChange,
  InjectionItem,
  InjectionSource,
  InjectionState,
  InjectionStrategy,
  Lease,
  Mailbox,
  NewInjection,
  TakeRequest,
} from './port.js';
export { type MovedFolder, rewritePaths } from './rewrite-paths.js';
export { setApart } from './set-apart.js';
export type { MailboxSnapshot } from './snapshot.js';
export {
  DEFAULT_TIMING,
  decidePeerUpdate,
  type Moment,
  type Situation,
  type TimingDecision,
  type TimingPolicy,
} from './timing.js';
