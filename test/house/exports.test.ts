import { describe, expect, it } from 'vitest';
import * as hookline from '../../src/index.js';
import { filesIn, withoutComments } from './sources.js';

/** What can be imported. A name that leaves this list, or comes to it, changes what users rely on. */
const VALUES = [
  'trustForm',
  'loadMassgenConfig',
  'TrustError',
  'createTrustStore',
  'trustSubjects',
  'attachConfig',
  'defineHooks',
  'loadHooklineConfig',
  'HOOK_EVENTS',
  'HookError',
  'NoopRunner',
  'Runner',
  'answerSchema',
  'command',
  'inputSchema',
  'isHookEvent',
  'loadClaudeSettings',
];

const TYPES = [
  'ApproveOptions',
  'HookMcpClient',
  'HookModel',
  'HookModelRequest',
  'ListedApproval',
  'McpToolResult',
  'PreparedHook',
  'TrustForm',
  'TrustProblem',
  'TrustStoreOptions',
  'MassgenConfig',
  'MassgenOptions',
  'MassgenSource',
  'Trust',
  'TrustReview',
  'TrustStatus',
  'TrustStore',
  'TrustSubject',
  'HooklineConfigOptions',
  'LiveConfig',
  'LiveConfigOptions',
  'AgentOptions',
  'AgentRunner',
  'CallbackHook',
  'ClaudeSettingsOptions',
  'CommandHook',
  'CommandOptions',
  'Diagnostic',
  'Dialect',
  'Disposer',
  'ExplainedHook',
  'Explanation',
  'FailureKind',
  'FailurePolicy',
  'FireInput',
  'FireOptions',
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
  'HookMessage',
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
  'HttpHook',
  'InactiveReason',
  'Injection',
  'LateAnswer',
  'Layer',
  'LoadedConfig',
  'LoadedGroup',
  'LoadedHook',
  'MatcherOptions',
  'PendingHook',
  'PermissionDecision',
  'Precedence',
  'RunnerOptions',
  'Source',
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

  it('the house: the values are exactly those listed', () => {
    expect(Object.keys(hookline).sort()).toEqual(VALUES.toSorted());
    expect(names.values.sort()).toEqual(VALUES.toSorted());
  });

  it('the house: the types are exactly those listed', () => {
    expect(names.types.sort()).toEqual(TYPES.toSorted());
  });

  it('the house: names are exported one by one, never all of a file', () => {
    expect(withoutComments(index)).not.toMatch(/export\s+(type\s+)?\*/);
  });
});
