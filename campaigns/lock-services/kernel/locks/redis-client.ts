import { Redis } from 'ioredis';

/** A client that waits for a server that is down, and sends again what was not answered. */
export function connect(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50, connectTimeout: 2_000 });
  // It is told of each attempt that fails.
  redis.on('error', () => {});
  return redis;
}

/** What has the same key is appended once, since a command whose answer was lost is sent again. */
const APPEND = `
if redis.call('HSETNX', KEYS[2], ARGV[1] .. ' ' .. ARGV[2], 1) == 1 then redis.call('RPUSH', KEYS[1], ARGV[3]) end
return 1`;

/** A ledger that anybody may append to, each event once for each `key`. */
export function openLedger(redis: Redis, namespace: string, key: string, session?: string) {
  return {
    async append(id: string): Promise<boolean> {
      await redis.eval(APPEND, 2, `${namespace}:ledger`, `${namespace}:asked`, id, key, JSON.stringify({ id, session }));
      return true;
    },
    async events(): Promise<string[]> {
      const lines = await redis.lrange(`${namespace}:ledger`, 0, -1);
      return lines.map((line) => JSON.parse(line).id);
    },
  };
}
