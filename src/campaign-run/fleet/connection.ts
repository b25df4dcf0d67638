import type { Redis } from 'ioredis';
import { isSettledInTime } from '../in-time.ts';
import { FleetError } from './fleet-error.ts';
import { PREFIX } from './posting.ts';

/** A Redis that was reached once, and is gone, is waited for so long. */
export const REDIS_AWAITED_MS = 5 * 60_000;

/** It has to answer for the first time within so long. */
const CONNECT_MS_MAX = 10_000;
/** A connection on which an answer is owed for so long is given up, and made anew. BullMQ waits in Redis for up to 10 s, for which nothing is wrong. */
const ANSWER_MS_MAX = 20_000;
const RETRY_MS_MAX = 1_000;

/** A Redis, and what speaks to it. Commands that are given while it is gone wait until it is back. */
export interface Connection {
  bullmq: typeof import('bullmq');
  redis: Redis;
  /** Host and port, without user and password. */
  address: string;
  /** Aborted when Redis has been gone for too long. Its reason is a FleetError. */
  lost: AbortSignal;
  /** Has it said when Redis is gone, and when it is back. */
  tell(onNote: (text: string) => void): void;
  /** Commands that are still waiting are rejected. */
  close(): void;
}

/**
 * Connects to `redis://[user:password@]host[:port][/db]`, or to `rediss://…` over TLS.
 * @throws {FleetError} When it can't be reached, or can't be used, or bullmq is not installed.
 */
export async function connect(url: string): Promise<Connection> {
  const { bullmq, Redis } = await load();
  const { hostname, port, pathname } = new URL(url);
  const address = `${hostname}:${port || 6379}`;
  const lost = new AbortController();
  let is: 'connecting' | 'up' | 'closing' = 'connecting';
  let gone_ms: number | null = null;
  let lastError: Error | null = null;
  let onNote: (text: string) => void = () => {};

  /** The one way to give up in which commands that wait are rejected: a client that is disconnected between two attempts leaves them waiting for ever. */
  function retryStrategy(times: number): number | null {
    if (is !== 'up') return null;
    if (gone_ms === null) {
      gone_ms = performance.now();
      onNote(`Redis at ${address} does not answer: it is waited for, up to ${REDIS_AWAITED_MS / 60_000} minutes`);
    }
    if (performance.now() - gone_ms < REDIS_AWAITED_MS) return Math.min(times * 50, RETRY_MS_MAX);
    lost.abort(new FleetError('stopped', `Redis at ${address} has not been reached for ${REDIS_AWAITED_MS / 60_000} minutes`));
    return null;
  }

  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    socketTimeout: ANSWER_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy,
  });
  redis.on('error', (error: Error) => {
    lastError ??= error;
  });
  redis.on('ready', () => {
    if (gone_ms !== null) onNote(`Redis at ${address} is back`);
    gone_ms = null;
    if (is === 'closing') redis.disconnect();
  });
  try {
    const connected = (async () => {
      await redis.connect();
      await redis.ping();
      await requireUsable(redis, address, Number(pathname.slice(1)));
    })();
    // What is at that port may take a connection, and never say anything.
    if (!(await isSettledInTime(connected, CONNECT_MS_MAX))) throw new Error(`it has not answered for ${CONNECT_MS_MAX / 1000} s`);
    await connected;
  } catch (cause) {
    redis.disconnect();
    if (cause instanceof FleetError) throw cause;
    const { message } = lastError ?? (cause as Error);
    throw new FleetError(
      'usage',
      `Redis at ${address} can't be reached: ${message}. Start it, or give its address and password: --queue redis://:PASSWORD@HOST:PORT`,
      { cause },
    );
  }
  is = 'up';
  return {
    bullmq,
    redis,
    address,
    lost: lost.signal,
    tell(to) {
      onNote = to;
    },
    close() {
      is = 'closing';
      if (redis.status !== 'reconnecting') redis.disconnect();
    },
  };
}

/** A Redis in which trials would get lost, or can't be put, is refused before anything is made. */
async function requireUsable(redis: Redis, address: string, database: number): Promise<void> {
  const refuse = (why: string, remedy: string) => new FleetError('usage', `Redis at ${address} can't be used: ${why}. ${remedy}`);
  // The client tells of a database that is not there, and goes on with the first one.
  await redis.select(database).catch(({ message }: Error) => {
    throw refuse(`database ${database}: ${message}`, 'Give one that it has: --queue redis://HOST:PORT/0');
  });
  const memory = await redis.info('memory');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (/^maxmemory:[1-9]/m.test(memory) && policy !== 'noeviction')
    throw refuse(`its maxmemory-policy is ${policy}, by which trials get lost`, 'Set it: redis-cli config set maxmemory-policy noeviction');
  await redis.set(`${PREFIX}:fleet:usable`, '', 'PX', 1).catch(({ message }: Error) => {
    throw refuse(message, 'Give one that can be written to and has room: --queue redis://:PASSWORD@HOST:PORT');
  });
}

/** Both are optional peers: who runs on one machine needs neither. */
async function load() {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new FleetError('usage', '--queue needs the packages bullmq and ioredis, which are not installed: npm install bullmq ioredis', {
      cause,
    });
  }
}
