/** The public names, one by one. */
export { type CommandOptions, command } from './config/command.js';
export type { Dialect } from './config/dialect.js';
export { type Trust, trustSubjects } from './config/judge-trust.js';
export type {
  Diagnostic,
  InactiveReason,
  Layer,
  LoadedConfig,
  LoadedGroup,
  LoadedHook,
  Source,
} from './config/loaded.js';
export {
  type ApproveOptions,
  createTrustStore,
  type ListedApproval,
  TrustError,
  type TrustForm,
  type TrustProblem,
  type TrustReview,
  type TrustStatus,
  type TrustStore,
  type TrustStoreOptions,
  type TrustSubject,
  trustForm,
} from './config/trust/index.js';
export type {
  CallbackHook,
  CommandHook,
  FailurePolicy,
  Hook,
  HookConfig,
  HookMatcher,
  HookWarning,
  HttpHook,
  MatcherOptions,
  PreparedHook,
} from './config/types.js';
export { type ClaudeSettingsOptions, loadClaudeSettings } from './dialects/claude-code/settings/load.js';
export {
  loadMassgenConfig,
  type MassgenConfig,
  type MassgenOptions,
  type MassgenSource,
} from './dialects/massgen/load.js';
export { defineHooks, type HooklineConfigOptions, loadHooklineConfig } from './dialects/spec07/file/load.js';
export { HookError, type HookErrorCode } from './errors.js';
export { answerSchema, HOOK_EVENTS, inputSchema, isHookEvent } from './events/schemas.js';
export type {
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
export {
  type AgentOptions,
  type AgentRunner,
  type Disposer,
  type FireOptions,
  type HookRunner,
  NoopRunner,
} from './hook-runner.js';
export type { HookMcpClient, McpToolResult } from './hooks/mcp-tool.js';
export type { HookModel, HookModelRequest } from './hooks/prompt.js';
export type { FailureKind, Injection, PermissionDecision } from './hooks/verdict.js';
export { attachConfig, type LiveConfig, type LiveConfigOptions } from './live-config.js';
export type {
  HookMessage,
  HookProgressMessage,
  HookResponseMessage,
  HookStartedMessage,
} from './messages/hook-messages.js';
export type { Precedence } from './pipeline/aggregate.js';
export type { ExplainedHook, Explanation } from './pipeline/explain.js';
export type { LateAnswer } from './pipeline/late.js';
export type { HookFailure, HookNote, HookOutcome, HookResult, PendingHook } from './pipeline/outcome.js';
export { Runner } from './runner.js';
export type { RunnerOptions } from './runner-options.js';
