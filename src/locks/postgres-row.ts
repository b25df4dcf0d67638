import { literal, postgresQuery } from '../wire/postgres.ts';
import type { LockAdapter, LockSite, LockState } from './lock.ts';
import { holderNamed, serviceOf } from './service-of.ts';

/**
 * A lease in a row of the table `lease (namespace text primary key, holder text, token bigint, expires_at timestamptz)`. It is free when `holder` is null; its token
 * is incremented by whoever takes it, a thief too.
 */
export function postgresRow() {
  const change = async (site: LockSite, sql: string) => {
    const { url, namespace } = serviceOf(site);
    await postgresQuery(url, `update lease set ${sql} where namespace = ${literal(namespace)}`);
  };

  return {
    kind: 'postgres-row',
    covers: () => false,

    async inspect(site): Promise<LockState> {
      const { url, namespace } = serviceOf(site);
      const columns = 'holder, token, (extract(epoch from expires_at) * 1000)::bigint as expires';
      const [row] = await postgresQuery(url, `select ${columns} from lease where namespace = ${literal(namespace)}`);
      if (!row) return { is: 'free' };
      const token = Number(row.token);
      if (row.holder === null || row.holder === undefined) return { is: 'free', token };
      return { is: 'held', holder: holderNamed(row.holder), token, expires_at_ms: Number(row.expires) };
    },

    steal: (site) =>
      change(site, `holder = 'thief', token = token + 1, expires_at = clock_timestamp() + ${site.ttl_ms} * interval '1 millisecond'`),
    expire: (site) => change(site, 'expires_at = clock_timestamp()'),
    corrupt: (site, how) =>
      change(site, how === 'remove' ? 'holder = null' : `holder = ${literal(how === 'garbage' ? '\u0001garbage' : '')}`),
  } satisfies LockAdapter;
}
