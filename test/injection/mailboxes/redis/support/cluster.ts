/** A real cluster of three servers on this machine, without replicas. */
import { createClient, createCluster } from 'redis';
import { until } from './bench.js';
import { findFreePort, RedisServer } from './server.js';

const SLOTS = 16_384;

export interface RedisCluster {
  readonly servers: readonly RedisServer[];
  /** A connected client for the whole cluster. */
  connect(): Promise<ReturnType<typeof makeClient>>;
  stop(): Promise<void>;
}

function makeClient(servers: readonly RedisServer[]) {
  return createCluster({ rootNodes: servers.map(({ url }) => ({ url })) });
}

export async function startCluster(size = 3): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  for (let i = 0; i < size; i++) {
    const port = String(await findFreePort());
    servers.push(await RedisServer.start({ args: ['--cluster-enabled', 'yes', '--cluster-port', port] }));
  }
  const clients = await Promise.all(servers.map(({ url }) => createClient({ url }).connect()));
  for (const [i, client] of clients.entries()) {
    const [from, to] = [Math.floor((i * SLOTS) / size), Math.floor(((i + 1) * SLOTS) / size) - 1];
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)]);
    await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1)]);
  }
  const [first] = clients;
  for (const server of servers.slice(1)) {
    const info = await clients[servers.indexOf(server)]?.sendCommand(['CONFIG', 'GET', 'cluster-port']);
    const bus = Array.isArray(info) ? String(info[1]) : String(Object.values(info ?? {})[0]);
    await first?.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(server.port), bus]);
  }
  for (const client of clients) {
    await until(async () => {
      const info = String(await client.sendCommand(['CLUSTER', 'INFO']));
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
    }, 'the cluster is one');
  }
  await Promise.all(clients.map((client) => client.close()));
  return {
    servers,
    connect: async () => {
      const client = makeClient(servers);
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
