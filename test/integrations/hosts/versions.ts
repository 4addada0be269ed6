/** The oldest and the newest versions of the frameworks, each installed in a folder outside the source tree. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import frameworks from '../../../examples/frameworks/package.json' with { type: 'json' };
import { FROM_CACHE, plainEnvironment, ROOT } from '../../package/support.js';
import type { Driver } from './run-hosts.js';

export const AGES = ['oldest', 'newest'] as const;
export type Age = (typeof AGES)[number];

/** What a driver imports: the oldest version and the newest, as npm takes them. */
const PACKAGES: Readonly<
  Record<Driver, Readonly<Record<string, readonly [oldest: string, newest: string]>>>
> = {
  'ai-sdk': {
    ai: ['7.0.0', '7'],
    'ai-6': ['npm:ai@6.0.0', 'npm:ai@6'],
    'ai-5': ['npm:ai@5.0.0', 'npm:ai@5'],
    '@ai-sdk/openai-compatible': ['3.0.0', '3'],
    'openai-compatible-2': ['npm:@ai-sdk/openai-compatible@2.0.0', 'npm:@ai-sdk/openai-compatible@2'],
    'openai-compatible-1': ['npm:@ai-sdk/openai-compatible@1.0.0', 'npm:@ai-sdk/openai-compatible@1'],
    zod: ['4', '4'],
  },
  'openai-agents': { '@openai/agents': ['0.14.0', 'latest'], openai: ['6', 'latest'], zod: ['4', '4'] },
  langchain: {
    langchain: ['1.3.0', 'latest'],
    '@langchain/core': ['1', '1'],
    '@langchain/langgraph': ['1.4.13', '~1.4.13'],
    '@langchain/openai': ['1', '1'],
    zod: ['4', '4'],
  },
  mastra: { '@mastra/core': ['1.0.4', 'latest'], zod: ['4', '4'] },
  strands: {
    '@strands-agents/sdk': ['1.3.0', 'latest'],
    '@anthropic-ai/sdk': ['0.109.1', '0.109.1'],
    '@modelcontextprotocol/sdk': ['1', '1'],
    '@opentelemetry/api': ['1', '1'],
    zod: ['4', '4'],
  },
  anthropic: { '@anthropic-ai/sdk': ['0.60.0', 'latest'], zod: ['4', '4'] },
  openai: { openai: ['5.0.0', 'latest'], zod: ['4', '4'] },
};

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Returns a folder with the drivers and the versions that they import. What was installed before is used again. */
export async function installVersions(driver: Driver, age: Age): Promise<string> {
  const folder = join(tmpdir(), 'hookline-hosts', `${driver}-${age}`);
  const wanted = Object.entries(PACKAGES[driver]).map(([name, [oldest, newest]]) => [
    name,
    age === 'oldest' ? oldest : newest,
  ]);
  const manifest = JSON.stringify({
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(wanted),
    ...(age === 'newest' && { overrides: frameworks.overrides }),
  });
  const mark = join(folder, 'installed.json');
  // A tag or a range may mean another version today.
  if (age === 'newest' || !existsSync(mark) || readFileSync(mark, 'utf8') !== manifest) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      ...FROM_CACHE,
    ];
    await execa('npm', args, { cwd: folder, env: plainEnvironment(), extendEnv: false });
    symlinkSync(ROOT, join(folder, 'node_modules/hookline'), 'junction');
    writeFileSync(mark, manifest);
  }
  const isOurs = (path: string): boolean => !path.startsWith(join(HERE, 'node_modules'));
  cpSync(HERE, folder, { recursive: true, filter: isOurs });
  return folder;
}
