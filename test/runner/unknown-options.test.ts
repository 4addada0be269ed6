/** Options that do not exist: refused wherever something takes options, so that no guard is missing over a letter. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AgentLoop,
  anthropicModel,
  builtInTools,
  connectMcpServers,
  createBashTool,
  createHookModel,
  loadClaudePermissions,
  openaiModel,
  Permissions,
  scriptedModel,
} from '../../src/agent/index.js';
import {
  attachConfig,
  command,
  createTrustStore,
  loadClaudeSettings,
  loadHooklineConfig,
  loadMassgenConfig,
  Runner,
} from '../../src/index.js';
import {
  createHumanInput,
  createMailbox,
  createPathGuard,
  registerBuiltInHooks,
} from '../../src/injection/index.js';
import { openFileMailbox } from '../../src/injection/mailboxes/files/index.js';
import { openRedisMailbox } from '../../src/injection/mailboxes/redis/index.js';
import { toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';
import { createHookless } from '../../src/integrations/hookless/index.js';
import { guardClient, wrapToolHandler } from '../../src/integrations/mcp/index.js';
import { instrument } from '../../src/integrations/opentelemetry/index.js';
import { copyWorkspace, openWorkspaces } from '../../src/integrations/workspaces/index.js';
import { startLiveView } from '../../src/live/index.js';
import { recordFires } from '../../src/testing/index.js';

/** As JavaScript, or a spread that the compiler does not look into, gives them. */
const wrong = (options: object): never => options as never;
const nowhere = join(tmpdir(), 'hookline-nobody-makes-this');
const model = scriptedModel([]);
const bash = { tool_name: 'Bash', tool_input: {}, tool_use_id: '1' };

const CALLS: Readonly<Record<string, readonly [call: () => unknown, meant: string]>> = {
  'new Runner': [() => new Runner(wrong({ sessionID: 'a' })), 'sessionId'],
  fire: [() => new Runner().fire('PreToolUse', bash, wrong({ agentID: 'ada' })), 'agentId'],
  explain: [() => new Runner().explain('PreToolUse', bash, wrong({ agentID: 'ada' })), 'agentId'],
  'a command that is registered': [
    () => new Runner().on('Stop', command('true', wrong({ onFailur: 'block' }))),
    'onFailure',
  ],
  'a callback that is registered': [
    () => new Runner().on('Stop', wrong({ type: 'callback', callback: () => {}, timout: 1 })),
    'timeout',
  ],
  'a group that is registered': [
    () => new Runner().on('PreToolUse', wrong({ matcher: 'Bash', onFailur: 'block' }), () => {}),
    'onFailure',
  ],
  'a group that is protected': [
    () => new Runner().on('PreToolUse', wrong({ Protected: true }), () => {}),
    'protected',
  ],
  'an http hook that is registered': [
    () => new Runner().on('Stop', wrong({ type: 'http', url: 'http://localhost/', header: {} })),
    'headers',
  ],
  loadClaudeSettings: [() => loadClaudeSettings(wrong({ configdir: nowhere })), 'configDir'],
  loadClaudePermissions: [() => loadClaudePermissions(wrong({ file: [] })), 'files'],
  loadHooklineConfig: [() => loadHooklineConfig(wrong({ trsut: 'workspace' })), 'trust'],
  loadMassgenConfig: [() => loadMassgenConfig('x.yaml', wrong({ pythn: 'python3' })), 'python'],
  attachConfig: [
    () => attachConfig(new Runner(), () => loadHooklineConfig(), wrong({ onreload: () => {} })),
    'onReload',
  ],
  createTrustStore: [() => createTrustStore(wrong({ File: nowhere })), 'file'],
  approve: [() => createTrustStore({ file: nowhere }).approve('.', [], wrong({ ev: ['A'] })), 'env'],
  recordFires: [() => recordFires(new Runner(), nowhere, wrong({ onerror: () => {} })), 'onError'],
  'new AgentLoop': [() => new AgentLoop(wrong({ model, hook: new Runner() })).session(), 'hooks'],
  'new Permissions': [() => new Permissions(wrong({ denny: ['Bash(rm *)'] })), 'deny'],
  'the permissions of a loop': [
    () => new AgentLoop(wrong({ model, transcripts: false, permissions: { denny: [] } })).session(),
    'deny',
  ],
  scriptedModel: [() => scriptedModel([], wrong({ nam: 'x' })), 'name'],
  anthropicModel: [() => anthropicModel(wrong({ model: 'x', apikey: 'y' })), 'apiKey'],
  openaiModel: [() => openaiModel(wrong({ model: 'x', baseUrl: 'y' })), 'baseURL'],
  createHookModel: [() => createHookModel(model, wrong({ permission: {} })), 'permissions'],
  builtInTools: [() => builtInTools(wrong({ Bash: {} })), 'bash'],
  createBashTool: [() => createBashTool(wrong({ envs: {} })), 'env'],
  connectMcpServers: [() => connectMcpServers({}, wrong({ callTimeOut: 1 })), 'callTimeout'],
  createMailbox: [() => createMailbox(wrong({ agent: ['ada'] })), 'agents'],
  createHumanInput: [() => createHumanInput(wrong({ mailbox: createMailbox(), lable: 'Eva' })), 'label'],
  createPathGuard: [() => createPathGuard(wrong({ places: [], onlyRead: () => true })), 'onlyReads'],
  registerBuiltInHooks: [
    () => registerBuiltInHooks(new Runner(), wrong({ mailbox: createMailbox(), path: { places: [] } })),
    'paths',
  ],
  openFileMailbox: [() => openFileMailbox(wrong({ directory: nowhere, leaseMS: 1 })), 'leaseMs'],
  openRedisMailbox: [() => openRedisMailbox(wrong({ url: 'redis://localhost', prefx: 'a' })), 'prefix'],
  createHookless: [
    () => createHookless(wrong({ mailbox: createMailbox(), agentId: 'a', maxRestart: 1 })),
    'maxRestarts',
  ],
  toSdkHooks: [() => toSdkHooks(new Runner(), wrong({ onErorr: 'block' })), 'onError'],
  wrapToolHandler: [
    () => wrapToolHandler(() => ({}), new Runner(), wrong({ serverName: 'a', onerror: 'block' })),
    'onError',
  ],
  guardClient: [() => guardClient(wrong({}), new Runner(), wrong({ servername: 'a' })), 'serverName'],
  instrument: [() => instrument(new Runner(), wrong({ contents: true })), 'content'],
  startLiveView: [() => startLiveView(wrong({ prot: 1 })), 'port'],
  openWorkspaces: [() => openWorkspaces(wrong({ directory: nowhere, exclud: ['.env'] })), 'exclude'],
  copyWorkspace: [() => copyWorkspace(nowhere, `${nowhere}-2`, wrong({ exclud: ['.env'] })), 'exclude'],
};

describe('an option that does not exist', () => {
  it.each(Object.entries(CALLS))('CF-23 of %s is refused with what was meant', async (_, [call, meant]) => {
    await expect((async () => call())()).rejects.toMatchObject({
      name: 'HookError',
      code: 'invalid_option',
      message: expect.stringMatching(new RegExp(`has no option "\\w+"\\. Did you mean "${meant}"\\?$`)),
    });
  });

  it('CF-23 that is near none of them gets the list of all', async () => {
    await expect(loadClaudeSettings(wrong({ workspace: '.' }))).rejects.toThrow(
      'loadClaudeSettings has no option "workspace". The options are cwd, configDir, managedFile, plugins, files, tools, model, mcp, trust.',
    );
    await expect(loadClaudeSettings(null as never)).rejects.toThrow(
      'The options of loadClaudeSettings are null; give an object.',
    );
  });

  it('CF-23 but has no value says nothing, and neither do the permissions of settings files beside their rules', async () => {
    expect(() => new Runner(wrong({ sessionID: undefined }))).not.toThrow();
    const permissions = await loadClaudePermissions({ cwd: nowhere, configDir: nowhere, managedFile: null });
    expect(() => new Permissions(wrong({ ...permissions }))).not.toThrow();
  });
});
