import { describe, expect, it } from 'vitest';
import * as hookline from '../../src/index.js';
import * as testing from '../../src/testing/index.js';
import { filesIn, withoutComments } from './sources.js';

/** What can be imported. A name that leaves this list, or comes to it, changes what users rely on. */
const VALUES = [
  'recordFires',
  'defineHookTests',
  'AgentLoop',
  'HOOK_EVENTS',
  'HookError',
  'ModelError',
  'NoopRunner',
  'PERMISSION_MODES',
  'Permissions',
  'Runner',
  'TrustError',
  'agentTool',
  'answerSchema',
  'anthropicModel',
  'attachConfig',
  'builtInTools',
  'command',
  'connectMcpServers',
  'createBashTool',
  'createHookModel',
  'createTaskList',
  'createTaskTools',
  'createTrustStore',
  'defineHooks',
  'defineTool',
  'editTool',
  'findLatestSession',
  'findSession',
  'globTool',
  'grepTool',
  'inputSchema',
  'isHookEvent',
  'loadClaudePermissions',
  'loadClaudeSettings',
  'loadHooklineConfig',
  'loadMassgenConfig',
  'modelFromEnvironment',
  'openaiModel',
  'readScript',
  'readTool',
  'readTranscript',
  'runTool',
  'scriptedModel',
  'sendMessageTool',
  'trustForm',
  'trustSubjects',
  'writeTool',
];

const TYPES = [
  'Recorder',
  'RecorderOptions',
  'HookExpectation',
  'HookTest',
  'AgentDefinition',
  'AgentLoopOptions',
  'AgentOptions',
  'AgentRequest',
  'AgentRunner',
  'AnthropicModelOptions',
  'ApproveOptions',
  'BashOptions',
  'BegunFire',
  'BuiltInOptions',
  'CallbackHook',
  'CanUseTool',
  'ClaudePermissions',
  'ClaudePermissionsOptions',
  'ClaudeSettingsOptions',
  'CommandHook',
  'CommandOptions',
  'ContentBlock',
  'Diagnostic',
  'Dialect',
  'Disposer',
  'EndReason',
  'ExplainedHook',
  'Explanation',
  'FailureKind',
  'FailurePolicy',
  'FireInput',
  'FireObserver',
  'FireOptions',
  'FireWatcher',
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
  'HookModelOptions',
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
  'LoopHooks',
  'LoopMessage',
  'MassgenConfig',
  'MassgenOptions',
  'MassgenSource',
  'MatcherOptions',
  'McpConnections',
  'McpOptions',
  'McpServerConfig',
  'McpToolResult',
  'Model',
  'ModelEvent',
  'ModelMessage',
  'ModelRequest',
  'ModelTool',
  'ModelUsage',
  'ObservableRunner',
  'OpenaiModelOptions',
  'PendingHook',
  'PermissionAnswer',
  'PermissionCall',
  'PermissionDecision',
  'PermissionMode',
  'PermissionOptions',
  'PermissionUpdate',
  'PermissionVerdict',
  'Precedence',
  'PreparedHook',
  'Prompt',
  'ReadTranscript',
  'ResultMessage',
  'Run',
  'RunOptions',
  'RunnerOptions',
  'Script',
  'ScriptedModel',
  'ScriptedModelOptions',
  'SessionEndReason',
  'Source',
  'StartedHook',
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
  'Trust',
  'TrustChanges',
  'TrustForm',
  'TrustProblem',
  'TrustReview',
  'TrustStatus',
  'TrustStore',
  'TrustStoreOptions',
  'TrustSubject',
];

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
  const index = filesIn('src', 'index.ts').find(({ path }) => path === 'src/index.ts')?.text ?? '';
  const names = exportedNames(index);

  it('architecture: the values are exactly those listed', () => {
    expect(Object.keys(hookline).sort()).toEqual(VALUES.toSorted());
    expect(names.values.sort()).toEqual(VALUES.toSorted());
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

  it('architecture: the types are exactly those listed', () => {
    expect(names.types.sort()).toEqual(TYPES.toSorted());
  });

  it('architecture: names are exported one by one, never all of a file', () => {
    expect(withoutComments(index)).not.toMatch(/export\s+(type\s+)?\*/);
  });
});
