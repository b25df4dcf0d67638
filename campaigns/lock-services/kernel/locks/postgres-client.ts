import pg, { type Client } from 'pg';
import { untilAnswered } from '../patience.ts';

/** A connection, made again when it is lost. `query` asks until it is answered. */
export function openClient(url: string, session: string) {
  let client: Client | null = null;

  async function connected(): Promise<Client> {
    if (client) return client;
    const fresh = new pg.Client({ connectionString: url, application_name: session, connectionTimeoutMillis: 2_000 });
    fresh.on('error', () => {});
    fresh.on('end', () => {
      if (client === fresh) client = null;
    });
    await fresh.connect();
    return (client = fresh);
  }

  /** @param isMeant Whether the connection on which it would be asked will do. */
  async function once(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await (await connected()).query(sql, values)).rows;
  }

  return {
    /** The connection at this moment; null when it has been lost. */
    current: () => client,
    once,
    query: (sql: string, values: unknown[]) => untilAnswered(() => once(sql, values)),
  };
}
