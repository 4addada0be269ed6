/** Runs the behaviours in every host, in processes of the Node that the frameworks need. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { plainEnvironment, ROOT } from '../../package/support.js';
import { compile, writeCompiled } from '../../support/compile-program.js';
import type { BehaviourId } from './behaviours.js';
import { installHosts } from './install.js';

/** The files in `drivers/`, in the order of the table, and what the README calls them. */
export const FRAMEWORK_TITLES = {
  'ai-sdk': 'AI SDK',
  'openai-agents': 'OpenAI Agents',
  langchain: 'LangChain',
  mastra: 'Mastra',
  strands: 'Strands',
  anthropic: 'Anthropic SDK',
  openai: 'OpenAI SDK',
} as const;

export type Driver = keyof typeof FRAMEWORK_TITLES;

export const DRIVERS = Object.keys(FRAMEWORK_TITLES) as Driver[];

export interface HostResult {
  readonly driver: string;
  readonly host: string;
  readonly version: string;
  readonly behaviour: BehaviourId;
  /** Why the host does not allow it. */
  readonly cannot?: string;
  /** What went wrong. */
  readonly error?: string;
}

export interface ExtraResult {
  readonly extra: string;
  readonly error?: string;
}

export interface DriverResults {
  readonly hosts: readonly HostResult[];
  /** What only this adapter has to do. */
  readonly extras: readonly ExtraResult[];
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Rejects if the process fails before it has run everything, or the behaviours that are asked for. `folder`: where the drivers are, and what they import. */
export async function runDriver(
  driver: string,
  only: readonly (BehaviourId | 'extras')[] = [],
  folder = HERE,
): Promise<DriverResults> {
  const node = await installHosts();
  // Compiled, because tsx takes longer to read a framework than the behaviours take.
  const text = `import { runHosts } from './main.js';\nimport * as driver from './drivers/${driver}.js';\nawait runHosts(driver, process.argv.slice(2));\nprocess.exit();\n`;
  const program = writeCompiled(await compile({ text, folder }), driver, folder);
  const { stdout } = await execa(node, [program, ...only], {
    cwd: ROOT,
    env: plainEnvironment(),
    extendEnv: false,
  });
  const lines = stdout.split('\n').filter((line) => /^\{"(host|extra)"/.test(line));
  const results = lines.map((line) => JSON.parse(line) as HostResult | ExtraResult);
  return {
    hosts: results.filter((result) => 'host' in result).map((result) => ({ ...result, driver })),
    extras: results.filter((result) => 'extra' in result),
  };
}
