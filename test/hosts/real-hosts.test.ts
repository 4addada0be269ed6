/** Real sessions of real hosts, against a model on loopback: ready guards that were installed refuse the model's calls. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approveInCodex } from './approve-in-codex.js';
import { type LoopbackModel, startModel } from './loopback-model.js';
import { type Folder, linkPackage, makeFolder, run } from './support.js';

interface Session {
  readonly program: string;
  readonly tool: string;
  input(command: string): Record<string, unknown>;
  readonly args: readonly string[];
  env(model: LoopbackModel): Readonly<Record<string, string>>;
  prepare?(folder: Folder, model: LoopbackModel): void;
  /** A refusal ends the run there, so each line has a run of its own, and no model reads the reason. */
  readonly endsWhenRefused?: boolean;
  /** What a person does after the installation. */
  approve?(folder: Folder): Promise<void>;
}

const PROMPT = 'please do the thing';

const SESSIONS: Readonly<Record<string, Session>> = {
  gemini: {
    program: 'gemini',
    tool: 'run_shell_command',
    input: (command) => ({ command, description: 'x' }),
    args: [
      '-m',
      'gemini-2.5-pro',
      '--approval-mode',
      'yolo',
      '--output-format',
      'json',
      '--skip-trust',
      '-p',
      PROMPT,
    ],
    env: ({ url }) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.gemini'));
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
  },
  codex: {
    program: 'codex',
    tool: 'exec_command',
    input: (command) => ({ cmd: command }),
    args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    env: () => ({ LOOPBACK_KEY: 'none' }),
    prepare: ({ home }, { url }) => {
      mkdirSync(join(home, '.codex'));
      const provider = `[model_providers.loopback]\nname = "loopback"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n`;
      writeFileSync(
        join(home, '.codex', 'config.toml'),
        `model = "gpt-5.1-codex"\nmodel_provider = "loopback"\n${provider}`,
      );
    },
    approve: async (folder) => {
      const before = await folder.hookline(['status', '--host', 'codex']);
      expect(before.stdout).toContain('skipped by Codex CLI, not approved there: PreToolUse');
      await approveInCodex(programOf(SESSIONS['codex'] as Session) ?? '', folder);
      const after = await folder.hookline(['status', '--host', 'codex']);
      expect(after.stdout).toContain('approved by Codex CLI');
    },
  },
  qwen: {
    program: 'qwen',
    tool: 'run_shell_command',
    input: (command) => ({ command, description: 'x', is_background: false }),
    args: ['--approval-mode', 'yolo', '--auth-type', 'openai', '--output-format', 'json', '-p', PROMPT],
    env: ({ url }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'loopback' }),
  },
  copilot: {
    program: 'copilot',
    tool: 'bash',
    input: (command) => ({ command, description: 'x', initial_wait: 10, mode: 'sync' }),
    args: [
      '-p',
      PROMPT,
      '--allow-all-tools',
      '--disable-client-telemetry',
      '--no-auto-update',
      '--output-format',
      'json',
    ],
    env: ({ url }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'gpt-4.1',
    }),
  },
  opencode: {
    program: 'opencode',
    tool: 'bash',
    input: (command) => ({ command, description: 'x' }),
    args: ['run', '--model', 'loopback/m', PROMPT],
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
    prepare: ({ home }, { url }) => {
      const folder = join(home, '.config/opencode');
      // Without these it installs a package before it loads plugins.
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } };
      writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const limit = { context: 100_000, output: 8000 };
      const config = {
        autoupdate: false,
        share: 'disabled',
        small_model: 'loopback/m',
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            name: 'loopback',
            options,
            models: { m: { name: 'm', tool_call: true, limit } },
          },
        },
      };
      writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
    },
  },
  cline: {
    program: 'cline',
    tool: 'run_commands',
    input: (command) => ({ commands: [command] }),
    args: ['--json', '--timeout', '60', PROMPT],
    // Without a daemon that would outlive the session.
    env: () => ({ DO_NOT_TRACK: '1', CLINE_SESSION_BACKEND_MODE: 'local' }),
    endsWhenRefused: true,
    prepare: ({ home, project }, { url }) => {
      const login = ['-p', 'openai-compatible', '-k', 'none', '-m', 'loopback', '-b', `${url}/v1`];
      const env = { ...process.env, HOME: home, PWD: project };
      spawnSync(programOf(SESSIONS['cline'] as Session) ?? '', ['auth', ...login], { cwd: project, env });
    },
  },
};

/** Folders with the programs of hosts, before those of PATH. */
const PATHS = [
  ...(process.env['HOOKLINE_HOSTS'] ?? '').split(delimiter),
  ...(process.env['PATH'] ?? '').split(delimiter),
];

function programOf({ program }: Session): string | undefined {
  return PATHS.filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Each is harmless if it runs after all, and leaves a file then. The guard that refuses it, and a word of its reason. */
const HOSTILE = [
  ['secrets', 'cat .env > ran.txt', 'may hold secrets'],
  ['git', 'git push --force origin main > ran.txt', 'forces a push'],
  ['destructive-shell', 'git clean -fdx > ran.txt', 'deletes for good'],
] as const;
const HARMLESS = 'echo harmless > fine.txt';

async function runSession(name: string, lines: readonly string[]) {
  const session = SESSIONS[name] as Session;
  const folder = makeFolder({ '.env': 'TOKEN=x' });
  const model = await startModel(session.tool, lines.map(session.input));
  try {
    session.prepare?.(folder, model);
    linkPackage(folder);
    for (const args of [
      ['add', ...HOSTILE.map(([guard]) => guard)],
      ['install', '--host', name, '--user'],
    ]) {
      const done = await folder.hookline(args);
      expect(done.exit, done.stdout + done.stderr).toBe(0);
    }
    await session.approve?.(folder);
    const { HOME: _, ...inherited } = process.env;
    const env = {
      ...inherited,
      ...{ HOME: folder.home, PWD: folder.project, NO_PROXY: '127.0.0.1', CI: '' },
      ...session.env(model),
    };
    const done = await run(programOf(session) ?? '', session.args, folder.project, '', env);
    return {
      done,
      ran: existsSync(join(folder.project, 'ran.txt')),
      fine: existsSync(join(folder.project, 'fine.txt')),
      told: JSON.stringify(model.requests),
      requests: model.requests.length,
    };
  } finally {
    await model.close();
    folder.remove();
  }
}

describe.each(Object.keys(SESSIONS))('a real session of %s', (name) => {
  const session = SESSIONS[name] as Session;
  const program = programOf(session);
  if (program === undefined) console.warn(`${session.program} is not installed: its session is skipped.`);
  it.skipIf(program === undefined)(
    'HS-21 the ready guards refuse the hostile calls, and the harmless one runs',
    { timeout: 180_000 },
    async () => {
      const hostile = HOSTILE.map(([, line]) => line);
      if (session.endsWhenRefused) {
        for (const line of hostile) {
          const { done, ran, requests } = await runSession(name, [line]);
          expect({ ran, requests }, JSON.stringify(done)).toEqual({ ran: false, requests: 1 });
        }
        const { fine, requests } = await runSession(name, [HARMLESS]);
        expect({ fine, requests }).toEqual({ fine: true, requests: 2 });
        return;
      }
      const { done, ran, fine, told } = await runSession(name, [...hostile, HARMLESS]);
      for (const [, line, reason] of HOSTILE)
        expect(told, `${line} ${JSON.stringify(done)}`).toContain(reason);
      expect({ ran, fine }, JSON.stringify(done)).toEqual({ ran: false, fine: true });
    },
  );
});
