import Redlock from 'redlock';
import type { Held, Lock, Place } from '../lock.ts';
import { connect, openLedger } from './redis-client.ts';

/** The npm package redlock, on one server. It makes values of its own, so that whose they are is noted beside the lock. */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const redis = connect(url);
  const redlock = new Redlock([redis], { retryCount: 0 });
  const ledger = openLedger(redis, namespace, session, session);

  async function acquire(): Promise<Held | null> {
    let lock = await redlock.lock(`${namespace}:lock`, ttlMs).catch(notLocked);
    if (!lock) return null;
    await redis.hset(`${namespace}:holders`, lock.value ?? '', session);
    return {
      token: null,
      async renew() {
        const extended = await lock?.extend(ttlMs).catch(notLocked);
        if (extended) lock = extended;
        return Boolean(extended);
      },
      append: ledger.append,
      release: async () => (await lock?.unlock().catch(notLocked)) !== null,
    };
  }

  return { acquire, events: ledger.events };
}

/** That another has it, or that it was lost, is told as an error. */
function notLocked(error: Error): null {
  if (error.name === 'LockError') return null;
  throw error;
}
