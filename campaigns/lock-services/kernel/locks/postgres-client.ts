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

  async function once(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await (await connected()).query(sql, values)).rows;
  }

  /** What is not answered in time may be stuck, and so may be all that is asked after it: it is asked again over another connection. What the stuck one holds goes with it. */
  async function query(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    let isFirst = true;
    return untilAnswered(() => {
      if (!isFirst) {
        client?.end().catch(() => {});
        client = null;
      }
      isFirst = false;
      return once(sql, values);
    });
  }

  return {
    /** The connection at this moment; null when it has been lost. */
    current: () => client,
    once,
    query,
  };
}
