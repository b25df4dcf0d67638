import type { Held, Lock, Place } from '../lock.ts';
import { connect, openLedger } from './redis-client.ts';

const ACQUIRE = 'return redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])';
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;
let RELEASE = `return redis.call('DEL', KEYS[1])`;
// #component owner-check
RELEASE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end ${RELEASE}`;
// #end

/** `SET NX PX`, as Redis documents it: nothing keeps a holder that slept past its lease from writing. */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const redis = connect(url);
  const key = `${namespace}:lock`;
  const ledger = openLedger(redis, namespace, session, session);

  async function acquire(): Promise<Held | null> {
    const value = `${session}:${process.hrtime.bigint()}`;
    const isSet = await redis.eval(ACQUIRE, 1, key, value, ttlMs);
    // One whose answer was lost is sent again, and finds what it did the first time.
    if (!isSet && (await redis.get(key)) !== value) return null;
    return {
      token: null,
      renew: async () => (await redis.eval(RENEW, 1, key, value, ttlMs)) === 1,
      append: ledger.append,
      release: async () => (await redis.eval(RELEASE, 1, key, value)) === 1,
    };
  }

  return { acquire, events: ledger.events };
}
