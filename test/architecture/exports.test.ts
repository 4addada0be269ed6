import { describe, expect, it } from 'vitest';
import * as agent from '../../src/agent/index.js';
import * as hookline from '../../src/index.js';
import * as testing from '../../src/testing/index.js';
import { filesIn, withoutComments } from './sources.js';

/** What can be imported, entry by entry. A name that leaves this list, or comes to it, changes what users rely on. */
const VALUES = {
  'src/index.ts': [
    'ALL_EVENTS',
    'HOOK_EVENTS',
    'HookError',
    'NoopRunner',
    'Runner',
    'TrustError',
    'agent',
    'allow',
    'answerSchema',
    'ask',
    'attachConfig',
    'command',
    'context',
    'createTrustStore',
    'defineEvent',
    'defineHooks',
    'deny',
    'http',
    'inputSchema',
    'isHookEvent',
    'loadClaudeSettings',
    'loadHooklineConfig',
    'loadMassgenConfig',
    'mcpTool',
    'prompt',
    'rewrite',
    'trustForm',
    'trustSubjects',
  ],
  'src/agent/index.ts': [
    'AgentLoop',
    'ModelError',
    'PERMISSION_MODES',
    'Permissions',
    'PostModelCall',
    'PreModelCall',
    'agentTool',
    'anthropicModel',
    'builtInTools',
    'connectMcpServers',
    'createBashTool',
    'createHookModel',
    'createTaskList',
    'createTaskTools',
    'defineTool',
    'editTool',
    'findLatestSession',
    'findSession',
    'globTool',
    'grepTool',
    'loadClaudePermissions',
    'modelFromEnvironment',
    'openaiModel',
    'readScript',
    'readTool',
    'readTranscript',
    'runTool',
    'scriptedModel',
    'sendMessageTool',
    'writeTool',
  ],
};

const TYPES = {
  'src/index.ts': [
    'AgentOptions',
    'AgentRunner',
    'AnyEvent',
    'ApproveOptions',
    'BegunFire',
    'CallbackHook',
    'CheckedRow',
    'ClaudeSettingsOptions',
    'CommandHook',
    'CommandOptions',
    'DescribedHook',
    'Diagnostic',
    'Dialect',
    'Disposer',
    'EventDefinition',
    'EventRow',
    'EventTable',
    'ExplainedHook',
    'Explanation',
    'ExtendedEvent',
    'FailureKind',
    'FailurePolicy',
    'FireInput',
    'FireObserver',
    'FireOptions',
    'FireWatcher',
    'HandlerServices',
    'Hook',
    'HookCallback',
    'HookCallbacks',
    'HookConfig',
    'HookContext',
    'HookErrorCode',
    'HookEvent',
    'HookFailure',
    'HookInput',
    'HookInputs',
    'HookMatcher',
    'HookMcpClient',
    'HookMessage',
    'HookModel',
    'HookModelRequest',
    'HookNote',
    'HookOutcome',
    'HookOutput',
    'HookProgressMessage',
    'HookResponseMessage',
    'HookResult',
    'HookRunner',
    'HookSpecificOutput',
    'HookStartedMessage',
    'HookWarning',
    'HooklineConfigOptions',
    'HttpHook',
    'HttpHookOptions',
    'InactiveReason',
    'Injection',
    'LateAnswer',
    'Layer',
    'ListedApproval',
    'LiveConfig',
    'LiveConfigOptions',
    'LoadedConfig',
    'LoadedGroup',
    'LoadedHook',
    'MassgenAgent',
    'MassgenConfig',
    'MassgenOptions',
    'MassgenSettings',
    'MassgenSource',
    'MatcherOptions',
    'McpToolHook',
    'McpToolHookOptions',
    'McpToolResult',
    'ObservableRunner',
    'PendingHook',
    'PermissionDecision',
    'Precedence',
    'PreparedHook',
    'PromptHook',
    'PromptHookOptions',
    'RunnerOptions',
    'Source',
    'StartedHook',
    'Trust',
    'TrustChanges',
    'TrustForm',
    'TrustProblem',
    'TrustReview',
    'TrustStatus',
    'TrustStore',
    'TrustStoreOptions',
    'TrustSubject',
  ],
  'src/agent/index.ts': [
    'AfterModel',
    'AfterModelResult',
    'AgentDefinition',
    'AgentLoopOptions',
    'AgentRequest',
    'AnthropicModelOptions',
    'BashOptions',
    'BeforeModel',
    'BeforeModelResult',
    'BoundedModelHook',
    'BuiltInOptions',
    'CanUseTool',
    'ClaudePermissions',
    'ClaudePermissionsOptions',
    'ContentBlock',
    'EndReason',
    'HookModelOptions',
    'LoopHooks',
    'LoopMessage',
    'McpConnections',
    'McpOptions',
    'McpServerConfig',
    'Model',
    'ModelCallAnswer',
    'ModelCallContext',
    'ModelCallRequest',
    'ModelEvent',
    'ModelMessage',
    'ModelRequest',
    'ModelTool',
    'ModelUsage',
    'OpenaiModelOptions',
    'PermissionAnswer',
    'PermissionCall',
    'PermissionMode',
    'PermissionOptions',
    'PermissionUpdate',
    'PermissionVerdict',
    'Prompt',
    'ReadTranscript',
    'ResultMessage',
    'Run',
    'RunOptions',
    'Script',
    'ScriptedModel',
    'ScriptedModelOptions',
    'SessionEndReason',
    'StopReason',
    'Task',
    'TaskList',
    'TaskListOptions',
    'TeamMessage',
    'Tool',
    'ToolContext',
    'ToolDefinition',
    'ToolHost',
    'ToolOutcome',
  ],
};

/** The names in the `export { … }` lists of a file; `type` in front of a list or of a name makes it a type. */
function exportedNames(code: string): { values: string[]; types: string[] } {
  const names = { values: [] as string[], types: [] as string[] };
  for (const [, typeOnly, list = ''] of withoutComments(code).matchAll(/^export\s+(type\s+)?\{([^}]*)\}/gm)) {
    for (const entry of list.split(',').map((text) => text.trim())) {
      if (entry === '') continue;
      const [, type, name = ''] = /^(type\s+)?(?:\w+\s+as\s+)?(\w+)$/.exec(entry) ?? [];
      names[typeOnly || type ? 'types' : 'values'].push(name);
    }
  }
  return names;
}

describe('the public names', () => {
  const modules = { 'src/index.ts': hookline, 'src/agent/index.ts': agent };
  const entries = Object.keys(modules) as (keyof typeof modules)[];
  const textOf = (entry: string): string =>
    filesIn('src', 'index.ts').find(({ path }) => path === entry)?.text ?? '';

  it.each(entries)('architecture: the values of %s are exactly those listed', (entry) => {
    expect(Object.keys(modules[entry]).sort()).toEqual(VALUES[entry].toSorted());
    expect(exportedNames(textOf(entry)).values.sort()).toEqual(VALUES[entry].toSorted());
  });

  it('architecture: so are those of hookline/testing', () => {
    expect(Object.keys(testing).sort()).toEqual([
      'SAMPLES',
      'SAMPLE_SESSION',
      'defineHookTests',
      'mailboxContract',
      'recordFires',
      'sampleFields',
      'sampleInput',
    ]);
  });

  it.each(entries)('architecture: the types of %s are exactly those listed', (entry) => {
    expect(exportedNames(textOf(entry)).types.sort()).toEqual(TYPES[entry].toSorted());
  });

  it.each(entries)('architecture: names of %s are exported one by one, never all of a file', (entry) => {
    expect(withoutComments(textOf(entry))).not.toMatch(/export\s+(type\s+)?\*/);
  });
});
