/** The frameworks of examples/frameworks and a Node that they run on. They are installed when the suite needs them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { findNode } from '../../package/node-binaries.js';
import { FROM_CACHE, plainEnvironment, ROOT } from '../../package/support.js';

/** The newest major that all of them support. */
const NODE = 24;

export const FRAMEWORKS: string = join(ROOT, 'examples/frameworks');
const INSTALLED = join(FRAMEWORKS, 'node_modules');
const MARK = join(INSTALLED, '.hookline-lock');
const LINK = join(ROOT, 'test/integrations/hosts/node_modules');

/** Returns the path of Node. Rejects with one sentence that says what could not be installed. */
export async function installHosts(): Promise<string> {
  const lock = createHash('sha256')
    .update(readFileSync(join(FRAMEWORKS, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== lock) {
    await runNpm();
    writeFileSync(MARK, lock);
  }
  if (!existsSync(join(INSTALLED, 'hookline')))
    await execa(process.execPath, ['link.mjs'], { cwd: FRAMEWORKS });
  if (!existsSync(LINK)) {
    rmSync(LINK, { force: true });
    symlinkSync('../../../examples/frameworks/node_modules', LINK, 'junction');
  }
  return (await findNode(NODE)).path;
}

async function runNpm(): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...FROM_CACHE];
  try {
    await execa('npm', args, { cwd: FRAMEWORKS, env: plainEnvironment(), extendEnv: false });
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    const why = /npm error (?!code|A complete)(.+)/.exec(stderr)?.[1] ?? 'see the cause';
    throw new Error(
      `The frameworks could not be installed with \`npm ci\` in examples/frameworks (${why}). The tests of the adapters need them.`,
      { cause },
    );
  }
}
