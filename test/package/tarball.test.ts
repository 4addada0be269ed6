/** What npm would publish: which files, what is in them, and what those say who check packages. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder, OPTIONAL, onlyPassesOn, type Packed, pack, ROOT } from './support.js';
import { exceeds, inKilobytes, readTable } from './tables.js';

const folder = makeFolder('tarball');
let packed: Packed;
let paths: readonly string[];
let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  packed = await pack(folder);
  paths = packed.files.map(({ path }) => path);
  bytes = new Uint8Array(readFileSync(packed.tarball));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** What has no source maps: the command, built from `src/cli`, and packages that are built in. */
const hasNoMaps = (path: string): boolean =>
  /^dist\/(cli\/([\w-]+\.js|package\.json)|live\/page-of-command\.cjs|shared\/(execa|yaml-parser)\.js|third-party-licences\.md)$/.test(
    path,
  );

/** What a file of dist is made from: its source map says so, or its name. */
function sourcesOf(path: string): readonly string[] {
  if (path.startsWith('dist/live/page/')) return [path.replace(/^dist/, 'src')];
  if (path.endsWith('.d.ts')) return [path.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts')];
  const map = path.replace(/(\.map)?$/, '.map');
  if (!paths.includes(map)) return onlyPassesOn(readFileSync(join(ROOT, path), 'utf8')) ? ['src'] : [];
  const { sources } = JSON.parse(readFileSync(join(ROOT, map), 'utf8')) as { sources: readonly string[] };
  return sources.map((source) => relative(ROOT, join(ROOT, dirname(map), source)));
}

describe('the tarball', () => {
  it('PK-8: holds what was built, the contract, and the four files about it all', () => {
    const ALLOWED = [
      /^dist\/.+\.(js|js\.map|d\.ts)$/,
      /^dist\/(third-party-licences\.md|cli\/package\.json|live\/page-of-command\.cjs)$/,
      /^dist\/live\/page\/\w+\.(html|css|svg)$/,
      /^src\/guard\/ready\/[\w.-]+\.(mjs|yaml)$/,
      /^spec\/.+\.(md|json|svg)$/,
      /^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
    ];
    expect(paths.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json']));
  });

  it('PK-8: holds nothing that an earlier build has left behind', () => {
    const stale = paths.filter(
      (path) =>
        path.startsWith('dist/') &&
        !hasNoMaps(path) &&
        !sourcesOf(path).some((source) => existsSync(join(ROOT, source))),
    );
    expect(stale, 'They have no source any more: remove dist and build again.').toEqual([]);
  });

  it('PK-9: leads to no file that is not there, and knows nothing of where it was built', () => {
    const local = [ROOT, `${homedir()}/`];
    const wrong = packed.files.flatMap(({ path }) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const [, map] = /^\/\/# sourceMappingURL=(.*)/m.exec(text) ?? [];
      const lost = map !== undefined && !paths.includes(join(dirname(path), map)) ? map : undefined;
      return [lost, local.find((place) => text.includes(place))]
        .filter((found) => found !== undefined)
        .map((found) => `${path}: ${found}`);
    });
    expect(wrong).toEqual([]);
  });

  it('PK-9: holds no secret', () => {
    const SECRETS = [
      /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/,
      /\bsk-[\w-]{20,}/,
      /\b(gh[pousr]|npm)_[A-Za-z0-9]{36}/,
      /\bAKIA[0-9A-Z]{16}\b/,
      /_authToken=\S{8}/,
    ];
    const wrong = paths.filter((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return SECRETS.some((secret) => secret.test(text)) || /(^|\/)\.|\.(pem|key|tgz|log)$/.test(path);
    });
    expect(wrong).toEqual([]);
  });

  it('PK-10: is not larger than is recorded', () => {
    const recorded = new Map(readTable('The tarball').map(([what, size]) => [what, Number(size)]));
    const now = { packed: packed.size, unpacked: packed.unpackedSize };
    const grown = Object.entries(now).map(([what, size]) =>
      exceeds(`The tarball, ${what},`, inKilobytes(size), recorded.get(what) ?? 0, 'kB'),
    );
    expect(grown.filter((each) => each !== undefined)).toEqual([]);
  });
});

it('PK-22: the licences of what is built in are given along', () => {
  const licences = readFileSync(join(ROOT, 'dist/third-party-licences.md'), 'utf8');
  for (const name of [
    'cross-spawn',
    'execa',
    'jsonc-parser',
    'minimatch',
    'picocolors',
    'unbash',
    'yaml',
    'zod',
  ])
    expect(licences).toMatch(new RegExp(`^## ${name} [\\d.]+ `, 'm'));
});

describe('those who check packages', () => {
  it('PK-11: publint finds nothing to say', async () => {
    const { messages } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
    expect(messages).toEqual([]);
  });

  it('PK-11: of problems with types there are those that the contract accepts, and no others', async () => {
    const result = await checkPackage(createPackageFromTarballData(bytes));
    const found = (result.types === false ? [] : result.problems).map((problem) => {
      const way = 'resolutionKind' in problem ? problem.resolutionKind : '';
      return `${problem.kind} ${way}`;
    });
    const accepted = readTable('Problems that are accepted').map(([kind, way]) => `${kind} ${way}`);
    expect(result.types).toMatchObject({ kind: 'included' });
    expect([...new Set(found)].sort()).toEqual(accepted.toSorted());
  }, 240_000);
});

describe('the manifest', () => {
  it('PK-3: every peer is optional, and none is a dependency as well', () => {
    const optional = Object.entries(manifest.peerDependenciesMeta).filter(([, meta]) => meta.optional);
    expect(optional.map(([name]) => name)).toEqual(OPTIONAL);
    expect(OPTIONAL).toEqual(expect.arrayContaining(Object.keys(manifest.peerDependencies)));
    expect(OPTIONAL.filter((name) => Object.hasOwn(manifest.dependencies, name))).toEqual([]);
  });

  it('PK-12: nothing is run when the package is installed', () => {
    const scripts = Object.keys(manifest.scripts);
    expect(scripts.filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$/.test(name))).toEqual([]);
  });

  it('PK-12: it is published for everybody, with a proof of where it was built', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });
});
