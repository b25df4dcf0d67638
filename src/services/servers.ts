import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ServiceKind } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { etcdCall } from '../wire/etcd.ts';
import { openPostgres } from '../wire/postgres.ts';
import { redisCall } from '../wire/redis.ts';

/** One kind of server: how it is started in a directory, on a port of 127.0.0.1. */
export interface Server {
  program: string;
  /** The Debian package that has it. */
  debian: string;
  /** What is made once and copied for each server: the command fills the directory that it is given. */
  template?: (directory: string) => string[];
  /** It refuses to be run by root. */
  unprivileged?: true;
  command(directory: string, port: number): string[];
  url(port: number): string;
  /** Rejects until it answers. */
  ready(url: string): Promise<unknown>;
  /** On this signal it gives back what SIGKILL would leave in the system. */
  farewell?: NodeJS.Signals;
}

const redis = (aof: 'yes' | 'no'): Server => ({
  program: 'redis-server',
  debian: 'redis-server',
  command: (directory, port) =>
    [
      ['redis-server', '--bind', '127.0.0.1', '--port', String(port), '--dir', directory],
      ['--save', '', '--appendonly', aof, '--appendfsync', 'everysec'],
    ].flat(),
  url: (port) => `redis://127.0.0.1:${port}`,
  ready: (url) => redisCall(url, 'PING'),
});

export const SERVERS: Record<ServiceKind, Server> = {
  etcd: {
    program: 'etcd',
    debian: 'etcd-server',
    // With an election this short a lease may be as short as one second.
    command: (directory, port) =>
      [
        ['etcd', '--data-dir', join(directory, 'data'), '--logger', 'zap', '--log-level', 'error'],
        ['--listen-client-urls', `http://127.0.0.1:${port}`, '--advertise-client-urls', `http://127.0.0.1:${port}`],
        ['--listen-peer-urls', `http://127.0.0.1:${port + 1}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${port + 1}`],
        ['--initial-cluster', `default=http://127.0.0.1:${port + 1}`, '--election-timeout', '200', '--heartbeat-interval', '20'],
      ].flat(),
    url: (port) => `http://127.0.0.1:${port}`,
    ready: (url) => etcdCall(url, 'kv/range', { key: 'AA==' }),
  },
  postgres: {
    program: 'postgres',
    debian: 'postgresql',
    unprivileged: true,
    template: (directory) => [
      'initdb',
      '-D',
      directory,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
      '--wal-segsize=1',
    ],
    // A kill of the processes loses nothing that was written, synced or not.
    command: (directory, port) =>
      [
        ['postgres', '-D', directory, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
        ['-c', 'fsync=off', '-c', 'shared_buffers=8MB', '-c', 'max_connections=30', '-c', 'autovacuum=off', '-c', 'max_wal_size=16MB'],
        // Its shared memory lies in its directory, and goes with it.
        ['-c', 'dynamic_shared_memory_type=mmap'],
      ].flat(),
    url: (port) => `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async ready(url) {
      const connection = await openPostgres(url);
      connection.end();
    },
    // It removes its segment of shared memory.
    farewell: 'SIGQUIT',
  },
  redis: redis('no'),
  'redis-aof': redis('yes'),
};

/** Debian keeps the programs of PostgreSQL beside the PATH, by version. */
const POSTGRES = '/usr/lib/postgresql';

/** Where a program is; null: nowhere. */
export function locate(program: string): string | null {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...versions.map((version) => join(POSTGRES, version, 'bin'))];
  return places.map((place) => join(place, program)).find(existsSync) ?? null;
}

/** @throws {CampaignError} When a server is not there, which names the package that has it. */
export function requireServers(kinds: ServiceKind[]): void {
  const missing = kinds.find((kind) => locate(SERVERS[kind].program) === null);
  if (missing === undefined) return;
  const { program, debian } = SERVERS[missing];
  throw new CampaignError({
    field: 'service',
    problem: `this campaign needs ${program}, which is not on this machine`,
    remedy: `Install the Debian package: apt-get install --no-install-recommends ${debian}. Or give one that runs: --service ${missing}=URL. Or leave its subjects out with --subject.`,
  });
}
