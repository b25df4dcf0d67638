import { type Reply, redisCall } from '../wire/redis.ts';
import type { LockAdapter, LockState } from './lock.ts';
import { serviceOf } from './service-of.ts';

/**
 * The lock that Redis documents: `SET <key> <value> NX PX <ttl>`, whose value only its owner knows. It is given back and renewed by scripts that compare the value.
 *
 * - `<namespace>:lock`, or what `keyOf` makes of the namespace: the lock. Its value begins with the session's name and a colon, or is a key of `<namespace>:holders`, where a client that makes values of its own has noted
 *   whose they are; until it has, nobody can be said to hold the lock.
 * - `<namespace>:token`: the fencing token that was given out last, where the kernel has one. Whoever takes the lock increments it, a thief too.
 */
export function redisLock(keyOf = (namespace: string) => `${namespace}:lock`) {
  return {
    kind: 'redis',
    covers: () => false,

    async inspect(site): Promise<LockState> {
      const { url, namespace } = serviceOf(site);
      const keys = [keyOf(namespace), `${namespace}:token`, `${namespace}:holders`];
      const [value, expires_at_ms, token, noted] = (await redisCall(url, 'EVAL', LOOK, keys.length, ...keys)) as Reply[];
      const known = token === null ? {} : { token: Number(token) };
      if (typeof value !== 'string') return { is: 'free', ...known };
      const session = typeof noted === 'string' ? noted : /^(s\d+|thief):/.exec(value)?.[1];
      if (session === undefined) return { is: 'free', ...known };
      const holder = session === 'thief' ? { name: value } : { session };
      return { is: 'held', holder, ...known, expires_at_ms: Number(expires_at_ms) < 0 ? null : Number(expires_at_ms) };
    },

    async steal(site) {
      const { url, namespace } = serviceOf(site);
      await redisCall(url, 'EVAL', STEAL, 2, keyOf(namespace), `${namespace}:token`, `thief:${site.now_ms}`, site.ttl_ms);
    },

    async expire(site) {
      const { url, namespace } = serviceOf(site);
      await redisCall(url, 'DEL', keyOf(namespace));
    },

    async corrupt(site, how) {
      const { url, namespace } = serviceOf(site);
      if (how === 'remove') await redisCall(url, 'DEL', keyOf(namespace));
      else await redisCall(url, 'SET', keyOf(namespace), how === 'garbage' ? '\u0001garbage' : '', 'KEEPTTL');
    },
  } satisfies LockAdapter;
}

/** One look at all of it: between two another session could have come by the lock. */
const LOOK = `
local value = redis.call('GET', KEYS[1])
local noted = value and redis.call('HGET', KEYS[3], value)
return {value, redis.call('PEXPIRETIME', KEYS[1]), redis.call('GET', KEYS[2]), noted}`;

const STEAL = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('INCR', KEYS[2]) end`;
