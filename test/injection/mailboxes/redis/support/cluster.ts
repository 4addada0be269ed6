/** A real cluster on this machine: masters, and replicas if asked for. */
import { createClient, createCluster } from 'redis';
import { until } from './bench.js';
import { findFreePort, RedisServer } from './server.js';

const SLOTS = 16_384;

export interface RedisCluster {
  /** The masters, as they were at the start. */
  readonly servers: readonly RedisServer[];
  /** The replica of each master, in the same order; empty without replicas. */
  readonly replicas: readonly RedisServer[];
  /** A connected client for the whole cluster. */
  connect(): Promise<ReturnType<typeof makeClient>>;
  stop(): Promise<void>;
}

function makeClient(servers: readonly RedisServer[]) {
  return createCluster({ rootNodes: servers.map(({ url }) => ({ url })) });
}

/** How long a master must be silent before its replica takes over. */
const NODE_TIMEOUT_MS = '1500';

async function startServer(): Promise<RedisServer> {
  const port = String(await findFreePort());
  const own = ['--cluster-enabled', 'yes', '--cluster-port', port, '--cluster-node-timeout', NODE_TIMEOUT_MS];
  return RedisServer.start({
    args: [...own, '--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
  });
}

export async function startCluster(size = 3, { withReplicas = false } = {}): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const replicas: RedisServer[] = [];
  for (let i = 0; i < size; i++) servers.push(await startServer());
  if (withReplicas) for (let i = 0; i < size; i++) replicas.push(await startServer());
  const all = [...servers, ...replicas];
  const clients = await Promise.all(all.map(({ url }) => createClient({ url }).connect()));
  for (const [i, client] of clients.slice(0, size).entries()) {
    const [from, to] = [Math.floor((i * SLOTS) / size), Math.floor(((i + 1) * SLOTS) / size) - 1];
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)]);
    await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1)]);
  }
  const [first] = clients;
  for (const [i, server] of all.entries()) {
    if (i === 0) continue;
    const info = await clients[i]?.sendCommand(['CONFIG', 'GET', 'cluster-port']);
    const bus = Array.isArray(info) ? String(info[1]) : String(Object.values(info ?? {})[0]);
    await first?.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(server.port), bus]);
  }
  const untilAll = async (isSo: (info: string) => boolean, what: string): Promise<void> => {
    for (const client of clients)
      await until(async () => isSo(String(await client.sendCommand(['CLUSTER', 'INFO']))), what);
  };
  await untilAll((info) => info.includes(`cluster_known_nodes:${all.length}`), 'all know each other');
  for (const [i] of replicas.entries()) {
    const id = String(await clients[i]?.sendCommand(['CLUSTER', 'MYID']));
    const replica = clients[size + i];
    await until(
      async () => String(await replica?.sendCommand(['CLUSTER', 'REPLICATE', id]).catch(() => '')) === 'OK',
      'a replica knows its master',
    );
    await until(
      async () =>
        String(await replica?.sendCommand(['INFO', 'replication'])).includes('master_link_status:up'),
      'a replica is in step',
    );
  }
  await untilAll((info) => info.includes('cluster_state:ok'), 'the cluster is one');
  await Promise.all(clients.map((client) => client.close()));
  return {
    servers,
    replicas,
    connect: async () => {
      const client = makeClient(servers);
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    stop: async () => {
      await Promise.all(all.map((server) => server.stop()));
    },
  };
}
