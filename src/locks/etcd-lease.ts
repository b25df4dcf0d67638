import { decode, encode, etcdCall, type KeyValue, type RangeResponse } from '../wire/etcd.ts';
import type { LockAdapter, LockState, ServiceAccess } from './lock.ts';
import { holderNamed, serviceOf } from './service-of.ts';

/**
 * A lock in etcd: the key `<namespace>/lock`, which holds the session's name and is attached to its lease. Its fencing token is the key's mod_revision: whoever overwrites the key
 * leaves create_revision as it was. When no keepalive comes, the lease runs out and the key is gone.
 *
 * etcd tells in whole seconds how much is left of a lease, and rounds down: the lease is good until then at least. With a lease of one second that says nothing.
 */
export function etcdLease() {
  const known = new WeakMap<ServiceAccess, KnownLease>();

  /** How long a lease is good at least; null: it has run out. */
  async function goodUntil(service: ServiceAccess, lease: string, now_ms: number): Promise<number | null> {
    const before = known.get(service);
    const isSame = before?.lease === lease;
    if (isSame && now_ms - before.asked_ms < QUARTER_MS) return before.expires_at_ms;
    const { TTL = '0' } = await etcdCall<{ TTL?: string }>(service.url, 'kv/lease/timetolive', { ID: lease });
    if (Number(TTL) < 0) return null;
    const least_ms = now_ms + 1000 * Number(TTL);
    const isRenewed = !isSame || least_ms - before.expires_at_ms >= QUARTER_MS;
    const expires_at_ms = isRenewed ? least_ms : before.expires_at_ms;
    known.set(service, { lease, asked_ms: now_ms, expires_at_ms });
    return expires_at_ms;
  }

  return {
    kind: 'etcd-lease',
    covers: () => false,

    async inspect(site): Promise<LockState> {
      const service = serviceOf(site);
      const key = await find(service);
      if (!key) return { is: 'free' };
      const held = { is: 'held', holder: holderNamed(decode(key.value)), token: Number(key.mod_revision) } as const;
      if (key.lease === undefined) return { ...held, expires_at_ms: null };
      const expires_at_ms = await goodUntil(service, key.lease, site.now_ms);
      return expires_at_ms === null ? { is: 'free' } : { ...held, expires_at_ms };
    },

    async steal(site) {
      const { url, namespace } = serviceOf(site);
      const { ID } = await etcdCall<{ ID: string }>(url, 'lease/grant', { TTL: Math.ceil(site.ttl_ms / 1000) });
      await etcdCall(url, 'kv/put', { key: encode(`${namespace}/lock`), value: encode('thief'), lease: ID });
    },

    async expire(site) {
      const service = serviceOf(site);
      const key = await find(service);
      if (key?.lease) await etcdCall(service.url, 'lease/revoke', { ID: key.lease });
    },

    async corrupt(site, how) {
      const { url, namespace } = serviceOf(site);
      const key = encode(`${namespace}/lock`);
      if (how === 'remove') await etcdCall(url, 'kv/deleterange', { key });
      else await etcdCall(url, 'kv/put', { key, value: encode(how === 'garbage' ? '\u0001garbage' : ''), ignore_lease: true });
    },
  } satisfies LockAdapter;
}

/** What was said last of the lease of a trial's lock. */
interface KnownLease {
  lease: string;
  asked_ms: number;
  expires_at_ms: number;
}

/** In whole seconds more than this is not said: a lease is not asked for sooner again, and what is good for less than so much longer is not taken for a renewal. */
const QUARTER_MS = 250;

async function find({ url, namespace }: ServiceAccess): Promise<KeyValue | undefined> {
  const { kvs } = await etcdCall<RangeResponse>(url, 'kv/range', { key: encode(`${namespace}/lock`) });
  return kvs?.[0];
}
