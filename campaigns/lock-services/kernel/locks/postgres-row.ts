import type { Held, Lock, Place } from '../lock.ts';
import { openClient } from './postgres-client.ts';

/* Every statement is a transaction. The lock's row is locked while an event is written, so that a takeover comes before it or after. */

let nextToken = 'lease.token';
// #component token-advance
nextToken = 'lease.token + 1';
// #end
const ACQUIRE = `
insert into lease (namespace, holder, token, expires_at) values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
on conflict (namespace) do update set holder = excluded.holder, token = ${nextToken}, expires_at = excluded.expires_at
where lease.holder is null or lease.expires_at < clock_timestamp()
returning token`;

const RENEW = `
update lease set expires_at = clock_timestamp() + $4 * interval '1 millisecond' where namespace = $1 and holder = $2 and token = $3
returning token`;

const RELEASE = 'update lease set holder = null where namespace = $1 and holder = $2 and token = $3 returning token';

let fence = 'true';
// #component row-fence
fence = 'token = $4';
// #end
const APPEND = `
with mine as (select token from lease where namespace = $1 and ${fence} for update),
written as (
  insert into ledger (namespace, id, session, token) select $1, $2, $3, $4 from mine
  on conflict (namespace, id, session) do nothing
)
select count(*)::int as mine from mine`;

/** A lease in a row, whose token is checked in the transaction that writes the event. */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const { query } = openClient(url, session);

  async function acquire(): Promise<Held | null> {
    const [row] = await query(ACQUIRE, [namespace, session, ttlMs]);
    if (!row) return null;
    const token = Number(row.token);
    return {
      token,
      renew: async () => (await query(RENEW, [namespace, session, token, ttlMs])).length > 0,
      append: async (id) => (await query(APPEND, [namespace, id, session, token]))[0]?.mine === 1,
      release: async () => (await query(RELEASE, [namespace, session, token])).length > 0,
    };
  }

  return {
    acquire,
    events: async () => (await query('select id from ledger where namespace = $1 order by seq', [namespace])).map(({ id }) => String(id)),
  };
}
