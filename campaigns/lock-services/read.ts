import type { DurableEvent, StateReading } from '../../src/history/history.ts';
import type { LockSite } from '../../src/locks/lock.ts';
import { serviceOf } from '../../src/locks/service-of.ts';
import { decode, etcdCall, type RangeResponse, withPrefix } from '../../src/wire/etcd.ts';
import { literal, postgresQuery } from '../../src/wire/postgres.ts';
import { redisCall } from '../../src/wire/redis.ts';

/** The key of each event, in the order in which they were written first. */
export async function readEtcd(site: LockSite): Promise<StateReading> {
  const { url, namespace } = serviceOf(site);
  const range = { ...withPrefix(`${namespace}/events/`), sort_target: 'CREATE', sort_order: 'ASCEND' };
  const { kvs = [] } = await etcdCall<RangeResponse>(url, 'kv/range', range);
  return reading(
    kvs.map(({ key, value, create_revision }) => {
      const id = decode(key).slice(`${namespace}/events/`.length);
      return { id, ref: `${id}@${create_revision}`, ...JSON.parse(decode(value)) };
    }),
  );
}

export async function readRedis(site: LockSite): Promise<StateReading> {
  const { url, namespace } = serviceOf(site);
  const lines = (await redisCall(url, 'LRANGE', `${namespace}:ledger`, 0, -1)) as string[];
  return reading(lines.map((line, index) => ({ ...JSON.parse(line), ref: `ledger:${index + 1}` })));
}

export async function readPostgres(site: LockSite): Promise<StateReading> {
  const { url, namespace } = serviceOf(site);
  const rows = await postgresQuery(url, `select id, seq, session, token from ledger where namespace = ${literal(namespace)} order by seq`);
  return reading(
    rows.map(({ id, seq, session, token }) => ({
      id: String(id),
      ref: `ledger:${seq}`,
      session: String(session),
      ...(token !== null && { token: Number(token) }),
    })),
  );
}

const SCHEMA = `
create table if not exists lease (namespace text primary key, holder text, token bigint not null, expires_at timestamptz not null);
create table if not exists ledger (
  seq bigserial primary key, namespace text not null, id text not null, session text not null, token bigint, unique (namespace, id, session)
)`;

export async function setUpPostgres({ url }: { url: string }): Promise<void> {
  await postgresQuery(url, SCHEMA);
}

function reading(events: DurableEvent[]): StateReading {
  return { events, work: [], unreadable: [], debris: [] };
}
