import { literal, openPostgres, postgresQuery } from '../wire/postgres.ts';
import type { LockAdapter, LockSite, LockState } from './lock.ts';
import { holderNamed, serviceOf } from './service-of.ts';

/**
 * PostgreSQL's session advisory lock `hashtext(<namespace>)`, held by a connection whose `application_name` is the session's name. It has no token and no lease: it is held for as long
 * as the connection lives, and taken away only by `pg_terminate_backend`.
 */
export function postgresAdvisory() {
  const end = async (site: LockSite) => {
    const { url, namespace } = serviceOf(site);
    await postgresQuery(url, `select pg_terminate_backend(pid, 1000) from pg_locks where granted and ${isLock(namespace)}`);
  };

  return {
    kind: 'postgres-advisory',
    covers: () => false,

    async inspect(site): Promise<LockState> {
      const { url, namespace } = serviceOf(site);
      const holders = `select application_name as name from pg_locks join pg_stat_activity using (pid) where granted and ${isLock(namespace)}`;
      const name = (await postgresQuery(url, holders))[0]?.name ?? null;
      if (name === null) return { is: 'free' };
      return { is: 'held', holder: holderNamed(name), expires_at_ms: null };
    },

    // The thief is a connection of the harness, which lives for one TTL.
    async steal(site) {
      const { url, namespace } = serviceOf(site);
      const thief = await openPostgres(url, 'thief');
      await end(site);
      await thief.query(`select pg_advisory_lock(${lockKey(namespace)})`);
      setTimeout(() => thief.end(), site.ttl_ms).unref();
    },

    expire: end,
    corrupt: end,
  } satisfies LockAdapter;
}

/** Of two 32-bit keys the first tells our locks from others. */
const CLASS = 8;

const lockKey = (namespace: string) => `${CLASS}, hashtext(${literal(namespace)})`;

/** pg_locks shows the keys without their sign. */
function isLock(namespace: string): string {
  return `locktype = 'advisory' and classid = ${CLASS} and objid = (hashtext(${literal(namespace)})::bit(32)::bigint)::oid`;
}
