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
  /** What was said last of a lease: a look that tells less than a quarter of a second more is not taken for a renewal. */
  const said = new Map<string, number>();

  return {
    kind: 'etcd-lease',
    covers: () => false,

    async inspect(site): Promise<LockState> {
      const service = serviceOf(site);
      const key = await find(service);
      if (!key) return { is: 'free' };
      const holder = holderNamed(decode(key.value));
      const token = Number(key.mod_revision);
      if (key.lease === undefined) return { is: 'held', holder, token, expires_at_ms: null };
      const { TTL = '0' } = await etcdCall<{ TTL?: string }>(service.url, 'kv/lease/timetolive', { ID: key.lease });
      // It has run out since.
      if (Number(TTL) < 0) return { is: 'free' };
      const place = `${service.namespace} ${key.lease}`;
      const least_ms = site.now_ms + 1000 * Number(TTL);
      const before_ms = said.get(place) ?? -Infinity;
      if (least_ms - before_ms >= QUARTER_MS) said.set(place, least_ms);
      return { is: 'held', holder, token, expires_at_ms: said.get(place) as number };
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

const QUARTER_MS = 250;

async function find({ url, namespace }: ServiceAccess): Promise<KeyValue | undefined> {
  const { kvs } = await etcdCall<RangeResponse>(url, 'kv/range', { key: encode(`${namespace}/lock`) });
  return kvs?.[0];
}
