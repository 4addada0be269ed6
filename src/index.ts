/** The public names, one by one. */
export { type Recorder, type RecorderOptions, recordFires } from './cli/recording/recorder.js';
export { defineHookTests, type HookExpectation, type HookTest } from './cli/test-files/define.js';
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
  type ObservableRunner,
} from './hook-runner.js';
export type { HookMcpClient, McpToolResult } from './hooks/mcp-tool.js';
export type { HookModel, HookModelRequest } from './hooks/prompt.js';
export type { FailureKind, Injection, PermissionDecision } from './hooks/verdict.js';
export { attachConfig, type LiveConfig, type LiveConfigOptions } from './live-config.js';
export { AgentLoop, type Run, type RunOptions, type SessionEndReason } from './loop/agent-loop.js';
export type { CanUseTool, PermissionAnswer } from './loop/ask-permission.js';
export { createHookModel, type HookModelOptions } from './loop/hook-model.js';
export type { EndReason, LoopMessage, ResultMessage } from './loop/messages.js';
export type { AgentDefinition, AgentLoopOptions, LoopHooks } from './loop/options.js';
export type { Prompt } from './loop/run-prompt.js';
export { type ReadTranscript, readTranscript } from './loop/transcript/read-transcript.js';
export { findLatestSession, findSession } from './loop/transcript/session-files.js';
export type {
  HookMessage,
  HookProgressMessage,
  HookResponseMessage,
  HookStartedMessage,
} from './messages/hook-messages.js';
export { type AnthropicModelOptions, anthropicModel } from './models/anthropic.js';
export { modelFromEnvironment } from './models/environment.js';
export { type OpenaiModelOptions, openaiModel } from './models/openai.js';
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
} from './models/port.js';
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './models/scripted.js';
export { readScript, type Script } from './models/scripted-schema.js';
export {
  PERMISSION_MODES,
  type PermissionCall,
  type PermissionMode,
  type PermissionOptions,
  Permissions,
  type PermissionUpdate,
  type PermissionVerdict,
} from './permission/permissions.js';
export type { Precedence } from './pipeline/aggregate.js';
export type { ExplainedHook, Explanation } from './pipeline/explain.js';
export type { LateAnswer } from './pipeline/late.js';
export type { BegunFire, FireObserver, FireWatcher, StartedHook } from './pipeline/observer.js';
export type { HookFailure, HookNote, HookOutcome, HookResult, PendingHook } from './pipeline/outcome.js';
export { Runner } from './runner.js';
export type { RunnerOptions } from './runner-options.js';
export { agentTool, sendMessageTool } from './tools/agent.js';
export { type BashOptions, createBashTool } from './tools/bash.js';
export { type BuiltInOptions, builtInTools } from './tools/built-in.js';
export { editTool } from './tools/edit.js';
export { globTool } from './tools/glob.js';
export { grepTool } from './tools/grep.js';
export type { AgentRequest, TeamMessage, ToolHost } from './tools/host.js';
export {
  connectMcpServers,
  type McpConnections,
  type McpOptions,
  type McpServerConfig,
} from './tools/mcp.js';
export { readTool } from './tools/read.js';
export { runTool } from './tools/run-tool.js';
export { createTaskList, type Task, type TaskList, type TaskListOptions } from './tools/task-list.js';
export { createTaskTools } from './tools/tasks.js';
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
} from './tools/tool.js';
export { writeTool } from './tools/write.js';
