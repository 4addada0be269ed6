/** The public names of the root entry, one by one: the runner and what is light beside it. */

export { HookError, type HookErrorCode } from './base/errors.js';
export type { Dialect } from './config/dialect.js';
export { attachConfig, type LiveConfig, type LiveConfigOptions } from './config/live-config.js';
export type {
  Diagnostic,
  InactiveReason,
  Layer,
  LoadedConfig,
  LoadedGroup,
  LoadedHook,
  Source,
} from './config/loaded.js';
export type { OnLostProtection } from './config/lost-protection.js';
export type { TrustChanges } from './config/trust/changes.js';
export type { TrustForm } from './config/trust/fingerprint.js';
export type { TrustStatus } from './config/trust/judge.js';
export type { Trust } from './config/trust/judge-trust.js';
export type { TrustProblem } from './config/trust/problem.js';
export { TrustError } from './config/trust/problem.js';
export type {
  ApproveOptions,
  ListedApproval,
  TrustReview,
  TrustStoreOptions,
} from './config/trust/store-types.js';
export type { TrustSubject } from './config/trust/subject.js';
export { createTrustStore, type TrustStore, trustForm } from './config/trust/trust-store.js';
export { trustSubjects } from './config/trust/trust-subjects.js';
export type { Disposer, HookConfig, HookMatcher, HookWarning, MatcherOptions } from './config/types.js';
export {
  type ClaudeSettingsOptions,
  defineHooks,
  type HooklineConfigOptions,
  loadClaudeSettings,
  loadHooklineConfig,
  loadMassgenConfig,
  type MassgenAgent,
  type MassgenConfig,
  type MassgenOptions,
  type MassgenSettings,
  type MassgenSource,
} from './dialects/loaders.js';
export { allow, ask, context, deny, rewrite } from './events/answers.js';
export { defineEvent, type EventDefinition } from './events/define-event.js';
export { ALL_EVENTS, HOOK_EVENTS, isHookEvent } from './events/registry.js';
export type { CheckedRow, EventRow } from './events/row.js';
export { answerSchema, inputSchema } from './events/schemas.js';
export type {
  AnyEvent,
  EventTable,
  ExtendedEvent,
  FireInput,
  HookCallback,
  HookCallbacks,
  HookContext,
  HookEvent,
  HookInput,
  HookInputs,
  HookOutput,
  HookSpecificOutput,
} from './events/types.js';
export type { HandlerServices } from './handlers/kinds.js';
export {
  agent,
  type CommandOptions,
  command,
  type HttpHookOptions,
  http,
  type McpToolHookOptions,
  mcpTool,
  type PromptHookOptions,
  prompt,
} from './handlers/makers.js';
export type { HookMcpClient, McpToolResult } from './handlers/mcp-tool.js';
export type { HookModel, HookModelRequest } from './handlers/prompt.js';
export type {
  CallbackHook,
  CommandHook,
  DescribedHook,
  FailurePolicy,
  Hook,
  HttpHook,
  McpToolHook,
  PreparedHook,
  PromptHook,
} from './handlers/types.js';
export type { FailureKind, Injection, PermissionDecision } from './handlers/verdict.js';
export type { Precedence } from './runner/aggregate.js';
export type { ExplainedHook, Explanation } from './runner/explain.js';
export {
  type AgentOptions,
  type AgentRunner,
  type FireOptions,
  type HookRunner,
  NoopRunner,
  type ObservableRunner,
} from './runner/hook-runner.js';
export type { LateAnswer } from './runner/late.js';
export type {
  HookMessage,
  HookProgressMessage,
  HookResponseMessage,
  HookStartedMessage,
} from './runner/messages/hook-messages.js';
export type { BegunFire, FireObserver, FireWatcher, StartedHook } from './runner/observer.js';
export type { RunnerOptions } from './runner/options.js';
export type { HookFailure, HookNote, HookOutcome, HookResult, PendingHook } from './runner/outcome.js';
export { Runner, type UseOptions } from './runner/runner.js';
