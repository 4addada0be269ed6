/** Packs this package as npm would publish it, and installs that in an empty project of its own. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import manifest from '../../package.json' with { type: 'json' };
import { withoutComments } from '../architecture/sources.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The names in `exports`, as written there. */
export const ENTRIES: readonly string[] = Object.keys(manifest.exports);

/** Also those of which only types are used, which have no range: npm would look at what they need themselves. */
export const OPTIONAL: readonly string[] = Object.keys(manifest.peerDependenciesMeta);

export const specifierOf = (entry: string): string => `${manifest.name}${entry.slice(1)}`;

/** The package that a specifier is of. */
export const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** Import and export statements only: what is loaded together with the file. */
export const staticImportsOf = (text: string): readonly string[] =>
  [
    ...withoutComments(text).matchAll(
      /^(?:import\s*|(?:import|export)\b[^;'"]*?\bfrom\s*)(?:'([^']+)'|"([^"]+)")/gm,
    ),
  ].map(([, single, double]) => single ?? double ?? '');

/** Whether a built file has no code of its own: it only exports what other files hold. */
export const onlyPassesOn = (text: string): boolean =>
  /^((import|export) \{[^}]*\}( from ".*")?;\s*)*$/.test(text);

export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

export interface Packed {
  /** The full path of the tarball. */
  readonly tarball: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly PackedFile[];
}

export const makeFolder = (what: string): string => mkdtempSync(join(tmpdir(), `hookline-${what}-`));

/** Without what npm and vitest tell their own children, which would steer the ones that are started here. */
export function plainEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const steering =
    /^(npm_(package|lifecycle|command|node_execpath|config_(local_prefix|loglevel))|VITEST|NODE_OPTIONS$|INIT_CWD$)/;
  const kept = Object.entries(process.env).filter(([name]) => !steering.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...more };
}

/** Has programs that ask for `node` find this one. */
export const withNode = (node: string): { readonly PATH: string } => ({
  PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
});

/** What npm has downloaded before is not downloaded again; and a registry that cannot be reached is not waited for. */
export const FROM_CACHE = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=500'] as const;

/** Packs what was built last; building again would take the files away from other tests. */
export async function pack(folder: string): Promise<Packed> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await execa('npm', args, { cwd: ROOT, env: plainEnvironment(), extendEnv: false });
  const [packed] = JSON.parse(stdout) as [Omit<Packed, 'tarball'> & { readonly filename: string }];
  return { ...packed, tarball: join(folder, packed.filename) };
}

/** What a user has after `npm install hookline`, with none of the optional packages. */
export interface Project {
  readonly folder: string;
  readonly packed: Packed;
  /** Where the package itself is. */
  readonly installed: string;
  remove(): void;
}

/** With the options for users who want no more than what is needed, which is also what takes the least time. */
export async function install(): Promise<Project> {
  const folder = makeFolder('project');
  const packed = await pack(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockOfDependencies()));
  const args = ['--engine-strict', '--omit=optional', '--no-audit', '--no-fund', ...FROM_CACHE];
  await execa('npm', ['install', packed.tarball, ...args], {
    cwd: folder,
    env: plainEnvironment(),
    extendEnv: false,
  });
  cpSync(join(ROOT, 'test/package/consumer'), folder, { recursive: true });
  return {
    folder,
    packed,
    installed: join(folder, 'node_modules', manifest.name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; peer?: true }>>;
}

/** The versions that `npm ci` has put into npm's cache, so that nothing is to be downloaded. */
function lockOfDependencies(): object {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer,
  );
  const root = ['', { name: 'consumer' }];
  return {
    name: 'consumer',
    lockfileVersion: 3,
    requires: true,
    packages: Object.fromEntries([root, ...needed]),
  };
}

/** What the project's own compiler says of the consumer's files, line by line. */
export async function compile(
  { folder }: Project,
  files: readonly string[],
  options: object,
): Promise<readonly string[]> {
  const types = join(folder, 'node_modules/@types');
  mkdirSync(types, { recursive: true });
  rmSync(join(types, 'node'), { force: true });
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(types, 'node'));
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await execa(process.execPath, [tsc, '--pretty', 'false', '--checkers', '1'], {
    cwd: folder,
    reject: false,
  });
  return stdout.split('\n').filter(Boolean);
}
