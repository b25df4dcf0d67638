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
  let isUp = false;
  let lastError: Error | null = null;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isUp ? Math.min(times * 50, RETRY_MS_MAX) : null),
  });
  redis.on('error', (error: Error) => {
    lastError ??= error;
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
  isUp = true;

  const lost = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  redis.on('close', () => {
    timer ??= setTimeout(() => {
      lost.abort(new FleetError('stopped', `Redis at ${address} has not been reached for ${REDIS_AWAITED_MS / 60_000} minutes`));
      redis.disconnect();
    }, REDIS_AWAITED_MS);
  });
  const reached = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  redis.on('ready', reached);
  return {
    bullmq,
    redis,
    address,
    lost: lost.signal,
    close() {
      redis.off('ready', reached);
      redis.removeAllListeners('close');
      reached();
      redis.disconnect();
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
