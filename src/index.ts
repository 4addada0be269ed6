/** The public names, one by one. */

export { AgentLoop, type Run, type RunOptions, type SessionEndReason } from './agent/loop/agent-loop.js';
export type { CanUseTool, PermissionAnswer } from './agent/loop/ask-permission.js';
export { createHookModel, type HookModelOptions } from './agent/loop/hook-model.js';
export type { EndReason, LoopMessage, ResultMessage } from './agent/loop/messages.js';
export type { AgentDefinition, AgentLoopOptions, LoopHooks } from './agent/loop/options.js';
export type { Prompt } from './agent/loop/run-prompt.js';
export { type AnthropicModelOptions, anthropicModel } from './agent/models/anthropic.js';
export { modelFromEnvironment } from './agent/models/environment.js';
export { type OpenaiModelOptions, openaiModel } from './agent/models/openai.js';
export {
  type ContentBlock,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
  type ModelUsage,
  type StopReason,
} from './agent/models/port.js';
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './agent/models/scripted.js';
export { readScript, type Script } from './agent/models/scripted-schema.js';
export { agentTool, sendMessageTool } from './agent/tools/agent.js';
export { type BashOptions, createBashTool } from './agent/tools/bash.js';
export { type BuiltInOptions, builtInTools } from './agent/tools/built-in.js';
export { editTool } from './agent/tools/edit.js';
export { globTool } from './agent/tools/glob.js';
export { grepTool } from './agent/tools/grep.js';
export type { AgentRequest, TeamMessage, ToolHost } from './agent/tools/host.js';
export {
  connectMcpServers,
  type McpConnections,
  type McpOptions,
  type McpServerConfig,
} from './agent/tools/mcp.js';
export { readTool } from './agent/tools/read.js';
export { runTool } from './agent/tools/run-tool.js';
export { createTaskList, type Task, type TaskList, type TaskListOptions } from './agent/tools/task-list.js';
export { createTaskTools } from './agent/tools/tasks.js';
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
} from './agent/tools/tool.js';
export { writeTool } from './agent/tools/write.js';
export { type ReadTranscript, readTranscript } from './agent/transcript/read-transcript.js';
export { findLatestSession, findSession } from './agent/transcript/session-files.js';
export { HookError, type HookErrorCode } from './base/errors.js';
export { type CommandOptions, command } from './config/command.js';
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
export {
  type ApproveOptions,
  createTrustStore,
  type ListedApproval,
  type TrustChanges,
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
export { type Trust, trustSubjects } from './config/trust/judge-trust.js';
export type { Disposer, HookConfig, HookMatcher, HookWarning, MatcherOptions } from './config/types.js';
export { type ClaudeSettingsOptions, loadClaudeSettings } from './dialects/claude-code/settings/load.js';
export {
  type ClaudePermissions,
  type ClaudePermissionsOptions,
  loadClaudePermissions,
} from './dialects/claude-code/settings/permissions.js';
export {
  loadMassgenConfig,
  type MassgenConfig,
  type MassgenOptions,
  type MassgenSource,
} from './dialects/massgen/load.js';
export { defineHooks, type HooklineConfigOptions, loadHooklineConfig } from './dialects/spec07/file/load.js';
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
export type { HookMcpClient, McpToolResult } from './handlers/mcp-tool/mcp-tool.js';
export type { HookModel, HookModelRequest } from './handlers/prompt/prompt.js';
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
export {
  PERMISSION_MODES,
  type PermissionCall,
  type PermissionMode,
  type PermissionOptions,
  Permissions,
  type PermissionUpdate,
  type PermissionVerdict,
} from './permissions/permissions.js';
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
export { Runner } from './runner/runner.js';
export { defineHookTests, type HookExpectation, type HookTest } from './testing/hook-tests/define.js';
export { type Recorder, type RecorderOptions, recordFires } from './testing/recording/recorder.js';
