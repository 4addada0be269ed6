/**
 * The package beside others: installed with npm, without any flag, and used with each supported version. `npm run bounds`
 * tries the oldest versions together and looks at the newest; `npm run matrix` tries all that are listed, one by one.
 * `npm test` installs nothing here.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { OLDEST } from '../../src/base/optional-package.js';
import { anthropicWire } from '../agent/models/servers/anthropic.js';
import { sends, startLoopback } from '../agent/models/servers/loopback.js';
import { chatWire } from '../agent/models/servers/openai-chat.js';
import { responsesWire } from '../agent/models/servers/openai-responses.js';
import type { Wire } from '../agent/models/servers/wire.js';
import { hasRedis, RedisServer } from '../injection/mailboxes/redis/support/server.js';
import { startMessagesServer } from '../integrations/support/messages-server.js';
import { matrix } from '../support/matrix.js';
import { NEIGHBOURS, PEERS, type Peer } from './peers.js';
import { makeFolder, pack, plainEnvironment, ROOT } from './support.js';

/** Registries can be slow; what is waited for is npm. */
const TIMEOUT = 600_000;

let packed: string;
const packing = makeFolder('packed');
beforeAll(async () => {
  if (matrix !== undefined) packed = (await pack(packing)).tarball;
}, 120_000);
afterAll(() => rmSync(packing, { recursive: true }));

/** Resolves to the folder; rejects with what npm says when it refuses. */
async function installBeside(packages: readonly string[], ...flags: readonly string[]): Promise<string> {
  const folder = makeFolder('beside');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 120_000);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  const quiet = ['--no-audit', '--no-fund'];
  // First what people have, then this package: npm may not move what is there.
  for (const wanted of [packages, [packed]])
    if (wanted.length > 0)
      await execa('npm', ['install', ...wanted, ...quiet, ...flags], {
        cwd: folder,
        env: plainEnvironment(),
        extendEnv: false,
      });
  cpSync(join(ROOT, 'test/package/consumer'), folder, { recursive: true });
  return folder;
}

const CALL = { calls: [{ id: 'call_1', name: 'Bash', json: ['{"command":"ls"}'] }] };
const startModel = async (wire: Wire): Promise<string> => {
  const answers = [wire.events(CALL), wire.events({ texts: ['Done.'] })];
  return (
    await startLoopback(
      wire,
      answers.map((events) => sends(events)),
    )
  ).url;
};

/** The servers that a use of the package needs, by its name. */
const SERVERS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  openai: async () => [await startModel(chatWire), await startModel(responsesWire)],
  '@anthropic-ai/sdk': async () => [await startModel(anthropicWire)],
  redis: async () => {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    return [server.url];
  },
  '@anthropic-ai/claude-agent-sdk': async () => {
    const call = [{ id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }];
    const server = await startMessagesServer([call, 'Done.']);
    onTestFinished(() => server.close());
    return [server.url];
  },
};

async function use(folder: string, { name, result }: Peer): Promise<void> {
  const urls = (await SERVERS[name]?.()) ?? [];
  const { stdout, stderr } = await execa(process.execPath, [join(folder, 'try-peers.mjs'), name, ...urls], {
    cwd: folder,
    env: plainEnvironment(),
    extendEnv: false,
  });
  expect({ stderr, result: JSON.parse(stdout) as unknown }).toEqual({ stderr: '', result });
}

const isUsable = ({ name }: Peer): boolean => hasRedis || name !== 'redis';
const LIGHT = PEERS.filter((peer) => peer.isLarge !== true && isUsable(peer));
const oldestOf = ({ name, versions }: Peer): string => `${name}@${versions[0]}`;

it('PK-19: the oldest versions that are tried are the bounds of peerDependencies, and those that are checked', () => {
  const ranged = PEERS.filter((peer) => peer.hasNoRange !== true);
  expect(Object.keys(manifest.peerDependencies).sort()).toEqual(ranged.map(({ name }) => name).sort());
  for (const { name, versions } of ranged)
    expect(manifest.peerDependencies[name as keyof typeof manifest.peerDependencies]).toMatch(
      new RegExp(`^[>^]=?${versions[0]?.replaceAll('.', '\\.')}( |$)`),
    );
  const loaded = PEERS.filter(({ name }) => name in OLDEST).map(({ name, versions }) => [name, versions[0]]);
  expect(Object.fromEntries(loaded)).toEqual(OLDEST);
});

function tryBounds(): void {
  it(
    'PK-19: it is installed beside the oldest versions, and works with each',
    async () => {
      const folder = await installBeside(LIGHT.map(oldestOf));
      for (const peer of LIGHT) await use(folder, peer);
    },
    TIMEOUT,
  );

  it(
    'PK-20: npm finds nothing against it beside the newest versions and their popular users',
    async () => {
      const newest = LIGHT.map(({ name }) => `${name}@latest`);
      await installBeside([...newest, '@openai/agents', 'ai'], '--package-lock-only');
    },
    TIMEOUT,
  );

  it(
    'PK-20: npm finds nothing against it where something needs zod 3',
    async () => {
      await installBeside(['ai@4'], '--package-lock-only');
    },
    TIMEOUT,
  );
}

function tryAll(): void {
  const cases = PEERS.filter(isUsable).flatMap((peer) =>
    peer.versions.map((version) => ({ peer, beside: `${peer.name}@${version}` })),
  );
  it.each(cases)(
    'PK-19: it is installed beside $beside, and works with it',
    async ({ peer, beside }) => {
      await use(await installBeside([beside]), peer);
    },
    TIMEOUT,
  );

  it.each(NEIGHBOURS.map((packages) => ({ packages, names: packages.join(' ') })))(
    'PK-20: npm finds nothing against it beside $names',
    async ({ packages }) => {
      await installBeside(packages, '--package-lock-only');
    },
    TIMEOUT,
  );
}

if (matrix !== undefined) describe('beside others', matrix === 'whole' ? tryAll : tryBounds);
