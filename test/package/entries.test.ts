/** The entries as they are built: what they share, and how many files they are. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { filesIn } from '../architecture/sources.js';
import { onlyPassesOn, staticImportsOf } from './support.js';

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [posix.normalize(entry.default)],
);

/** All files that are read with this one. */
function filesOf(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const specifier of staticImportsOf(readFileSync(path, 'utf8')))
    if (specifier.startsWith('.')) filesOf(posix.join(posix.dirname(path), specifier), seen);
  return seen;
}

describe('built entries', () => {
  it('PK-17: an error that comes through one entry is one of the root', async () => {
    const { HookError } = await import('hookline');
    const { AgentLoop } = await import('hookline/agent');
    const { openRedisMailbox } = await import('hookline/redis');
    const run = new AgentLoop({ wrong: true } as never).run('');
    await expect(run.next()).rejects.toThrow(HookError);
    await expect(openRedisMailbox({ url: 'no address' })).rejects.toThrow(HookError);
  });

  it('PK-17: no source is built twice, and so no class', () => {
    const sources = filesIn('dist', '.js.map').flatMap(({ path, text }) => {
      const map = JSON.parse(text) as { readonly sources: readonly string[] };
      return map.sources.map((source) => posix.join(posix.dirname(path), source));
    });
    expect(sources).toContain('src/base/errors.ts');
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
  });

  it('PK-17: the root reads at most 20 files of its own', () => {
    expect(filesOf('dist/index.js').size).toBeLessThanOrEqual(20);
  });

  it('PK-17: the root loads no code that reads shell lines, files of hooks or the web', () => {
    const texts = [...filesOf('dist/index.js')].map((path) => readFileSync(path, 'utf8')).join('\n');
    const packages = staticImportsOf(texts).filter((specifier) => !/^(\.|node:)/.test(specifier));
    expect([...new Set(packages)].sort()).toEqual(['minimatch', 'p-timeout', 'zod']);
  });

  it('PK-9: every file of code has its source map, unless it only passes on or is of a package', () => {
    const bare = entries
      .flatMap((entry) => [...filesOf(entry)])
      .filter((path) => !existsSync(`${path}.map`) && !path.endsWith('/yaml-parser.js'));
    expect(bare.filter((path) => !onlyPassesOn(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
