/** An agent loop with its models, tools, permissions and transcripts. */

export {
  type ClaudePermissions,
  type ClaudePermissionsOptions,
  loadClaudePermissions,
} from '../dialects/claude-code/settings/permissions.js';
export {
  PERMISSION_MODES,
  type PermissionCall,
  type PermissionMode,
  type PermissionOptions,
  Permissions,
  type PermissionUpdate,
  type PermissionVerdict,
} from '../permissions/permissions.js';
export { AgentLoop, type Run, type RunOptions, type SessionEndReason } from './loop/agent-loop.js';
export type { CanUseTool, PermissionAnswer } from './loop/ask-permission.js';
export type { OnElicitation } from './loop/elicitation.js';
export { createHookModel, type HookModelOptions } from './loop/hook-model.js';
export type { EndReason, LoopMessage, ResultMessage } from './loop/messages.js';
export { PostModelCall, PreModelCall } from './loop/model-call-events.js';
export type {
  AfterModel,
  AfterModelResult,
  BeforeModel,
  BeforeModelResult,
  BoundedModelHook,
  ModelCallAnswer,
  ModelCallContext,
  ModelCallRequest,
} from './loop/model-hooks.js';
export type { AgentDefinition, AgentLoopOptions, LoopHooks } from './loop/options.js';
export type { Prompt } from './loop/run-prompt.js';
export { type AnthropicModelOptions, type AnthropicThinking, anthropicModel } from './models/anthropic.js';
export { modelFromEnvironment } from './models/environment.js';
export { type OpenaiModelOptions, openaiModel } from './models/openai.js';
export {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
  type ModelUsage,
  type PromptBlock,
  type RedactedThinkingBlock,
  type ServiceBlock,
  type StopReason,
  type ThinkingBlock,
} from './models/port.js';
export type { ModelPrice, ModelPrices } from './models/prices.js';
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './models/scripted.js';
export { readScript, type Script } from './models/scripted-schema.js';
export type { ModelSpending } from './models/usage.js';
export { agentTool, sendMessageTool } from './tools/agent.js';
export { type BashOptions, createBashTool } from './tools/bash.js';
export { type BuiltInOptions, builtInTools } from './tools/built-in.js';
export { editTool } from './tools/edit.js';
export { globTool } from './tools/glob.js';
export { grepTool } from './tools/grep.js';
export type {
  AgentRequest,
  Elicitation,
  ElicitationAnswer,
  EndedJob,
  TeamMessage,
  ToolHost,
} from './tools/host.js';
export {
  connectMcpServers,
  type McpConnections,
  type McpOptions,
  type McpServerConfig,
} from './tools/mcp.js';
export { readTool } from './tools/read.js';
export { runTool } from './tools/run-tool.js';
export { bashOutputTool, killShellTool } from './tools/shell-tools.js';
export type { SkillDefinition, Skills } from './tools/skill.js';
export { createTaskList, type Task, type TaskList, type TaskListOptions } from './tools/task-list.js';
export { createTaskTools } from './tools/tasks.js';
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  type ToolProgress,
} from './tools/tool.js';
export { writeTool } from './tools/write.js';
export { type ReadTranscript, readTranscript } from './transcript/read-transcript.js';
export { findLatestSession, findSession } from './transcript/session-files.js';
