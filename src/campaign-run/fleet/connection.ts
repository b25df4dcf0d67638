import type { Redis } from 'ioredis';
import { FleetError } from './fleet-error.ts';

/** A Redis that was reached once, and is gone, is waited for so long. */
export const REDIS_AWAITED_MS = 5 * 60_000;

const CONNECT_MS_MAX = 10_000;
const RETRY_MS_MAX = 1_000;

/** A Redis, and what speaks to it. Commands that are given while it is gone wait until it is back. */
export interface Connection {
  bullmq: typeof import('bullmq');
  redis: Redis;
  /** Host and port, without user and password. */
  address: string;
  /** Aborted when Redis has been gone for too long. Its reason is a FleetError. */
  lost: AbortSignal;
  /** Commands that are still waiting are rejected. */
  close(): void;
}

/**
 * Connects to `redis://[user:password@]host[:port][/db]`, or to `rediss://…` over TLS.
 * @throws {FleetError} When it can't be reached, or bullmq is not installed.
 */
export async function connect(url: string): Promise<Connection> {
  const { bullmq, Redis } = await load();
  const { hostname, port } = new URL(url);
  const address = `${hostname}:${port || 6379}`;
  const lost = new AbortController();
  let is: 'connecting' | 'up' | 'closing' = 'connecting';
  let gone_ms: number | null = null;
  let lastError: Error | null = null;

  /** The one way to give up in which commands that wait are rejected: a client that is disconnected between two attempts leaves them waiting for ever. */
  function retryStrategy(times: number): number | null {
    if (is !== 'up') return null;
    gone_ms ??= performance.now();
    if (performance.now() - gone_ms < REDIS_AWAITED_MS) return Math.min(times * 50, RETRY_MS_MAX);
    lost.abort(new FleetError('stopped', `Redis at ${address} has not been reached for ${REDIS_AWAITED_MS / 60_000} minutes`));
    return null;
  }

  const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_MS_MAX, maxRetriesPerRequest: null, retryStrategy });
  redis.on('error', (error: Error) => {
    lastError ??= error;
  });
  redis.on('ready', () => {
    gone_ms = null;
    if (is === 'closing') redis.disconnect();
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    redis.disconnect();
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
    close() {
      is = 'closing';
      if (redis.status !== 'reconnecting') redis.disconnect();
    },
  };
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
