import type { Held, Lock, Place } from '../lock.ts';
import { connect } from './redis-client.ts';

/** Taking the lock gives out a token that is greater than all before. */
const ACQUIRE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
if redis.call('GET', KEYS[1]) == ARGV[1] then return tonumber(redis.call('GET', KEYS[2])) end
return 0`;
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;
/** The storage refuses whoever comes with a token that is not the last. */
let fence = '';
// #component redis-fence
fence = `if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end`;
// #end
const APPEND = `
${fence}
if redis.call('HSETNX', KEYS[3], ARGV[1] .. ' ' .. ARGV[2], 1) == 1 then redis.call('RPUSH', KEYS[1], ARGV[3]) end
return 1`;

/** The same lock with a fencing token, which the storage checks. */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const redis = connect(url);
  const [lock, tokens, ledger, asked] = ['lock', 'token', 'ledger', 'asked'].map((name) => `${namespace}:${name}`) as [
    string,
    string,
    string,
    string,
  ];

  async function acquire(): Promise<Held | null> {
    const value = `${session}:${process.hrtime.bigint()}`;
    const token = (await redis.eval(ACQUIRE, 2, lock, tokens, value, ttlMs)) as number;
    if (token === 0) return null;
    return {
      token,
      renew: async () => (await redis.eval(RENEW, 1, lock, value, ttlMs)) === 1,
      append: async (id) => (await redis.eval(APPEND, 3, ledger, tokens, asked, id, token, JSON.stringify({ id, session, token }))) === 1,
      release: async () => (await redis.eval(RELEASE, 1, lock, value)) === 1,
    };
  }

  return {
    acquire,
    events: async () => (await redis.lrange(ledger, 0, -1)).map((line) => JSON.parse(line).id),
  };
}
