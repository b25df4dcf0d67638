import type { Held, Lock, Place } from '../lock.ts';
import { openClient } from './postgres-client.ts';

const APPEND = `
insert into ledger (namespace, id, session) values ($1, $2, $3) on conflict (namespace, id, session) do nothing`;

/**
 * PostgreSQL's session advisory lock. It has no token, and needs none as long as the connection that holds it is the one that writes: who is robbed of the lock
 * is robbed of the connection. Nobody takes it from a holder that sleeps.
 */
export async function open({ url, namespace, session }: Place): Promise<Lock> {
  const { query, once, current } = openClient(url, session);

  async function acquire(): Promise<Held | null> {
    const [row] = await query('select pg_try_advisory_lock(8, hashtext($1)) as held', [namespace]);
    const client = current();
    if (!row?.held || !client) return null;

    /** Over the connection that holds the lock, or not at all. */
    async function over(sql: string, values: unknown[]): Promise<boolean> {
      if (current() !== client) return false;
      return once(sql, values).then(
        () => true,
        () => false,
      );
    }
    return {
      token: null,
      renew: () => over('select 1', []),
      append: (id) => over(APPEND, [namespace, id, session]),
      release: () => over('select pg_advisory_unlock(8, hashtext($1))', [namespace]),
    };
  }

  return {
    acquire,
    events: async () => (await query('select id from ledger where namespace = $1 order by seq', [namespace])).map(({ id }) => String(id)),
  };
}
